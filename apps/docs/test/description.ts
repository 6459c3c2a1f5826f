import { description } from "@parley/contract";

type Node = Record<string, unknown>;

/** The contract as an object. */
export const contract: Node = description;

/** Returns the value at a path of the contract, and follows references; undefined if there is none. */
export function at(...keys: string[]): unknown {
  return keys.reduce<unknown>((node, key) => resolved((node as Node | undefined)?.[key]), contract);
}

/** Returns the path of the contract that matches an address, for example `/api/v1/leads/{id}`. */
export function pathOf(address: string): string | undefined {
  const paths = Object.keys(contract["paths"] as Node);
  if (paths.includes(address)) return address;
  return paths.find((path) =>
    new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[\\w-]+")}$`).test(address),
  );
}

/** Returns the names of an operation's parameters of one kind. */
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
