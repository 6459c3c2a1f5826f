import { apiDiff } from "api-smart-diff";

/** A bundled OpenAPI description, as far as the comparison reads it. */
export interface Description {
  paths: Record<string, object>;
  webhooks: Record<string, { post: { requestBody: { content: object } } }>;
  components: object;
}

/** A difference between two descriptions. */
export interface Change {
  /** Where it is, for example `POST /api/v1/leads request status enum 3`. */
  place: string;
  action: string;
  isBreaking: boolean;
}

/**
 * Compares two versions of the contract.
 *
 * @returns what was added, removed and replaced, each place once. A change is breaking if a client of the first version may fail.
 */
export function compareContracts(before: Description, after: Description): Change[] {
  const changes = new Map<string, Change>();
  for (const { type, action, path } of apiDiff(comparable(before), comparable(after))) {
    if (path[0] !== "paths" || type === "annotation") continue;
    const place = describe(path.slice(1).map(String));
    // The library knows the types of OpenAPI 3.0, where null is a separate keyword.
    const isTypeChange = path.at(-1) === "type" || path.at(-2) === "type";
    const mayBreak = type === "breaking" || (type === "unclassified" && action !== "add") || isTypeChange;
    const isBreaking = mayBreak || changes.get(place)?.isBreaking === true;
    changes.set(place, { place, action, isBreaking });
  }
  return [...changes.values()];
}

const texts = new Set(["description", "summary", "example", "examples"]);

/** Returns a copy without texts and examples, which may change at any time. Under `properties`, names are not keywords. */
export function withoutTexts(node: unknown, isKeywords = true): unknown {
  if (Array.isArray(node)) return node.map((member) => withoutTexts(member));
  if (typeof node !== "object" || node === null) return node;
  const members = Object.entries(node).filter(([key]) => !(isKeywords && texts.has(key)));
  return Object.fromEntries(members.map(([key, value]) => [key, withoutTexts(value, key !== "properties")]));
}

/** Returns what counts for clients. The body of a webhook is compared like a response, since clients receive it. */
function comparable(description: Description): object {
  const { paths, webhooks, components } = withoutTexts(description) as Description;
  const received = Object.entries(webhooks).map(([type, { post }]) => [
    `webhook ${type}`,
    { get: { responses: { 200: { content: post.requestBody.content } } } },
  ]);
  return {
    openapi: "3.0.3", // The newest version whose rules the library has.
    paths: { ...paths, ...Object.fromEntries(received) },
    components,
  };
}

const noise = new Set(["content", "application/json", "schema", "properties", "components", "schemas"]);

function describe([path = "", method = "", ...rest]: string[]): string {
  const words = rest.filter((word) => !noise.has(word));
  return path.startsWith("webhook ")
    ? [path, ...words.slice(2)].join(" ")
    : [method.toUpperCase(), path, ...words].join(" ").trim();
}
