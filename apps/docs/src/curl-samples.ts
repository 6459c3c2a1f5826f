/** Adds a curl command to every operation of the contract, made from the operation's own examples. */

export interface Contract {
  paths: Record<string, PathItem>;
  [member: string]: unknown;
}

interface PathItem {
  parameters?: Parameter[];
  [method: string]: unknown;
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  example?: unknown;
}

interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  requestBody?: {
    content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, { content?: Record<string, unknown>; $ref?: string }>;
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
}

const methods = ["get", "post", "put", "patch", "delete"];

/** Returns a copy of the contract with `x-codeSamples`. `server` is the root address that the commands name. */
export function withCurlSamples(contract: Contract, server: string): Contract {
  const copy = structuredClone(contract);
  for (const [path, item] of Object.entries(copy.paths)) {
    for (const method of methods) {
      const operation = item[method] as Operation | undefined;
      if (operation === undefined || isForBrowsers(operation)) continue;
      const address =
        server +
        withExamples(
          path,
          (item.parameters ?? []).map((each) => resolve(copy, each)),
        );
      operation["x-codeSamples"] = [
        { lang: "curl", label: "curl", source: command(method, address, operation) },
      ];
    }
  }
  return copy;
}

/** The authorization page is opened, not called. */
function isForBrowsers(operation: Operation): boolean {
  return operation.operationId === "authorize" || operation.operationId === "submitAuthorization";
}

function resolve(contract: Contract, parameter: Parameter): Parameter {
  const segments = parameter.$ref?.slice(2).split("/") ?? [];
  if (segments.length === 0) return parameter;
  return segments.reduce<unknown>(
    (node, key) => (node as Record<string, unknown>)[key],
    contract,
  ) as Parameter;
}

function withExamples(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    return typeof parameter?.example === "string" ? parameter.example : placeholder;
  });
}

function command(method: string, address: string, operation: Operation): string {
  const body = operation.requestBody?.content["application/json"];
  const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value;
  // What curl does by itself: POST where there is a body, or else GET.
  const usual = example === undefined ? "get" : "post";
  const lines = [`curl ${method === usual ? "" : `-X ${method.toUpperCase()} `}${address}`];
  const token = tokenOf(operation);
  if (token) lines.push(`-H "Authorization: Bearer ${token}"`);
  if (example !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}

/** The variable of what proves who is calling; null where nobody has to. */
function tokenOf({ security }: Operation): string | null {
  if (security?.length === 0) return null;
  return security?.some((scheme) => "platformKey" in scheme) ? "$PLATFORM_KEY" : "$ACCESS_TOKEN";
}
