import { description } from "@parley/contract";

type Node = Record<string, unknown>;

/** The contract as one object. */
export const contract: Node = description;

/** What is at this place of the contract, references followed; undefined when nothing is. */
export function at(...keys: string[]): unknown {
  return keys.reduce<unknown>((node, key) => resolved((node as Node | undefined)?.[key]), contract);
}

/** The path of the contract that this address belongs to, for example `/api/v1/leads/{id}`. */
export function pathOf(address: string): string | undefined {
  return Object.keys(contract["paths"] as Node).find((path) =>
    new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[\\w-]+")}$`).test(address),
  );
}

/** Names of the operation's parameters of one kind. */
export function parameters(path: string, method: string, kind: "query" | "header"): string[] {
  const listed = (at("paths", path, method, "parameters") ?? []) as Node[];
  return listed
    .map((parameter) => resolved(parameter) as Node)
    .filter((parameter) => parameter["in"] === kind)
    .map((parameter) => String(parameter["name"]));
}

function resolved(node: unknown): unknown {
  const reference = (node as Node | undefined)?.["$ref"];
  return typeof reference === "string" ? at(...reference.slice(2).split("/")) : node;
}
