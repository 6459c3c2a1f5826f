import { description } from "@parley/contract";

/** Names of parameters and fields in the contract, in lower case, and the first part of every path. */
const knownNames = new Set(["body", "query", "params", "headers", "items"]);
addNames(description);

function addNames(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { properties, in: place, name } = value as Record<string, unknown>;
  if (typeof properties === "object") for (const field of Object.keys(properties ?? {})) add(field);
  if (typeof place === "string" && typeof name === "string") add(name); // A parameter.
  for (const member of Object.values(value)) addNames(member);
}

function add(name: string): void {
  knownNames.add(name.toLowerCase());
}

/**
 * Returns a path into a request with `…` for names that are not in the contract. The caller chose these names, so they may be secrets
 * in the wrong place.
 *
 * @param path for example `body/filters/chatbot_id`
 */
export function knownPath(path: string): string {
  const isKnown = (name: string) => knownNames.has(name.toLowerCase()) || /^\d{1,4}$/.test(name);
  return path
    .split("/")
    .map((name) => (isKnown(name) ? name : "…"))
    .join("/");
}
