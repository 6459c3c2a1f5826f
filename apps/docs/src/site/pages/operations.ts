import {
  errorCodeOf,
  examplesOf,
  find,
  listOperations,
  type PathOperation,
  type Response,
  type Schema,
  type SiteContract,
  schemaName,
} from "../contract.ts";
import { addressOf, codeBlock, type Page, slug, summaryOf, table } from "../page.ts";
import { demoServer } from "../read-contract.ts";
import { fieldTable, limitsOf, typeOf } from "../schema-table.ts";

/** Returns a page for each operation, after a page for its tag. */
export function operationPages(contract: SiteContract): Page[] {
  const operations = listOperations(contract);
  return contract["x-tagGroups"]
    .filter(({ name }) => name === "API" || name === "Server")
    .flatMap(({ tags }) => tags)
    .flatMap((tag) => {
      const own = operations.filter(({ operation }) => operation.tags[0] === tag);
      return [tagPage(contract, tag, own), ...own.map((one) => operationPage(contract, tag, one))];
    });
}

function tagPage({ tags }: SiteContract, name: string, operations: PathOperation[]): Page {
  const description = tags.find((tag) => tag.name === name)?.description ?? "";
  const rows = operations.map(({ method, path, operation }) => [
    `[${operation.summary}](${addressOf(pathOf(operation.operationId))})`,
    `\`${method} ${path}\``,
  ]);
  return {
    path: `api/${slug(name)}`,
    title: name,
    description: summaryOf(description),
    section: "API",
    group: name,
    label: "Overview",
    markdown: `${description}\n\n## Operations\n\n${table(["Operation", "Request"], rows)}`,
  };
}

/** Returns the path of the page of an operation. */
export function pathOf(operationId: string): string {
  return `api/${slug(operationId)}`;
}

function operationPage(contract: SiteContract, group: string, found: PathOperation): Page {
  const { method, path, operation } = found;
  const { operationId, summary, description } = operation;
  const parts = [
    `\`${method} ${path}\``,
    description,
    authorizationOf(found),
    ...parameterTables(contract, found),
    requestBody(contract, found),
    samples(found),
    ...responses(contract, found),
    errors(contract, found),
  ];
  return {
    path: pathOf(operationId),
    title: summary,
    description: `${method} ${path}: ${summaryOf(description)}`,
    section: "API",
    group,
    label: summary,
    method,
    tryIt: { operationId },
    sectionOfReference: `tag/${group.replaceAll(" ", "-")}/operation/${operationId}`,
    markdown: parts.filter(Boolean).join("\n\n"),
  };
}

function authorizationOf({ operation: { security = [{ oauth2: [] }] } }: PathOperation): string {
  const [scheme] = security;
  if (!scheme) return "This operation needs no token.";
  if ("platformKey" in scheme) return `Authorization: [platform key](${addressOf("api/platform")}).`;
  const scopes = (scheme["oauth2"] ?? []).map((scope) => `\`${scope}\``).join(", ");
  return `Authorization: [access token](${addressOf("guides/authentication")})${scopes && ` with the scope ${scopes}`}.`;
}

const places: [string, string][] = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Request headers"],
];

function parameterTables(contract: SiteContract, { parameters }: PathOperation): string[] {
  return places.map(([place, heading]) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) => [
        `\`${name}\``,
        typeOf(contract, schema) + (required ? ", required" : ""),
        description.trim() + limitsOf(schema, description),
      ]);
    return rows.length === 0 ? "" : `## ${heading}\n\n${table(["Name", "Type", "Description"], rows)}`;
  });
}

function requestBody(contract: SiteContract, { operation: { requestBody: body } }: PathOperation): string {
  if (!body) return "";
  const [schema] = Object.values(body.content).map((media) => media.schema);
  if (!schema) return "";
  const types = Object.keys(body.content).map((type) => `\`${type}\``);
  const intro = `${types.join(" or ")}, ${typeOf(contract, schema)}${body.required ? "" : ", optional"}.`;
  return `## Request body\n\n${intro}\n\n${fieldTable(contract, schema, true)}`;
}

const languages: Record<string, string> = {
  curl: "sh",
  TypeScript: "ts",
  Python: "python",
  PHP: "php",
  Go: "go",
};

/** Returns the address of a page that users open in their browser. */
function browserSample({ path, parameters }: PathOperation): string {
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, example }) => [name, String(example)]);
  const address = `${demoServer}${path}?${new URLSearchParams(query)}`;
  const guide = `[Authorize users](${addressOf("guides/authentication")})`;
  return `## Example request\n\nUsers open this address in their browser. \`authorizeUrl\` of the SDK returns it. See ${guide}.\n\n${codeBlock("text", address)}`;
}

function samples(found: PathOperation): string {
  const { "x-codeSamples": sources = [] } = found.operation;
  if (sources.length === 0) return browserSample(found);
  const blocks = sources.map(
    ({ label, source }) => `### ${label}\n\n${codeBlock(languages[label] ?? "", source)}`,
  );
  return `## Example request\n\n${blocks.join("\n")}`;
}

function responses(contract: SiteContract, { operation }: PathOperation): string[] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, reference]) => {
      const response = find<Response>(contract, reference);
      const { description, content, headers = {} } = response;
      const media = content?.["application/json"];
      const [example] = examplesOf(response);
      const rows = Object.entries(headers).map(([name, header]) => [
        `\`${name}\``,
        find<{ description: string }>(contract, header).description,
      ]);
      return [
        `## Response ${status}`,
        description,
        example === undefined ? "" : codeBlock("json", JSON.stringify(example, null, 2)),
        media
          ? `### Response fields\n\n${typeOf(contract, media.schema)}\n\n${fieldTable(contract, media.schema)}`
          : "",
        rows.length === 0 ? "" : `### Response headers\n\n${table(["Header", "Description"], rows)}`,
      ]
        .filter(Boolean)
        .join("\n\n");
    });
}

/** Returns the errors that an operation can return, with links to their pages. */
function errors(contract: SiteContract, { operation }: PathOperation): string {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, reference]) => {
      const response = find<Response>(contract, reference);
      return [status, codesOf(response).map(errorLink).join(", "), response.description];
    });
  return rows.length === 0 ? "" : `## Errors\n\n${table(["Status", "Code", "Description"], rows)}`;
}

const errorLink = (code: string) => `[\`${code}\`](${addressOf(`errors/${code}`)})`;

/** Returns the error codes in the examples of a response. */
export function codesOf(response: Response): string[] {
  return [...new Set(examplesOf(response).flatMap((body) => errorCodeOf(body) ?? []))];
}

/** Returns the operations whose request or response has a schema, directly or in another schema. */
export function operationsWith(contract: SiteContract, schema: string): PathOperation[] {
  const names = new Set([schema]);
  for (let size = 0; size < names.size; ) {
    size = names.size;
    for (const [name, value] of Object.entries(contract.components.schemas)) {
      if (!names.has(name) && refersTo(value, names)) names.add(name);
    }
  }
  return listOperations(contract).filter(({ operation: { requestBody: body, responses: all } }) =>
    refersTo([body, all], names),
  );
}

function refersTo(value: unknown, names: Set<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const name = schemaName(value as Schema);
  if (name !== undefined && names.has(name)) return true;
  return Object.values(value).some((member) => refersTo(member, names));
}
