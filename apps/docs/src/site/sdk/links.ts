import type { Schema } from "../contract.ts";
import { addressOf, summaryOf } from "../page.ts";
import { type ReadFile, resolveName } from "./declarations.ts";

/** Adds links to types and comments. */
export interface LinkTypes {
  /** Returns a type as Markdown, in which each known name is a link. */
  type(text: string, file: string): string;
  /**
   * Returns a comment as Markdown, in which each `{@link X}` is a link.
   *
   * @param parent class or interface of the comment, whose members can be named without it
   */
  describe(text: string, file: string, parent?: string): string;
  /** Returns the first sentence about a type that has a name; empty for another type. */
  summary(type: string, file: string): string;
}

/**
 * Returns the functions that add links.
 *
 * @param addresses addresses of the sections by key
 * @param schemas schemas of the contract by name
 */
export function linkTypes(
  read: ReadFile,
  addresses: ReadonlyMap<string, string>,
  schemas: Readonly<Record<string, Schema>>,
): LinkTypes {
  const links: LinkTypes = {
    type: (text, file) =>
      text.replaceAll(/"[^"]*"|[A-Za-z_$][\w$]*\??:?/g, (token) => {
        const address = token.startsWith('"') || token.endsWith(":") ? undefined : addressIn(file, token);
        return address === undefined ? token : `[${token}](${address})`;
      }),
    describe: (text, file, parent) =>
      text.replaceAll(/\{@link\s+([\w.]+)\}/g, (_, target: string) => {
        const address =
          (parent && addressIn(file, `${parent}.${target}`)) ||
          addressIn(file, target) ||
          addressAnywhere(target);
        return address ? `[\`${target}\`](${address})` : `\`${target}\``;
      }),
    summary: (type, file) => {
      const found = resolveName(read, file, type, isContract);
      if (!found) return "";
      if (isContract(found.file)) return summaryOf(schemas[found.name]?.description ?? "");
      const text = read(found.file).declarations.get(found.name)?.doc.description ?? "";
      return links.describe(firstSentence(text), found.file);
    },
  };
  return links;

  /** Finds `Name` or `Name.member` with the meaning that the name has in a file. */
  function addressIn(file: string, target: string): string | undefined {
    const [name = "", member] = target.split(".");
    const found = resolveName(read, file, name, isContract);
    if (!found) return undefined;
    const key = `${found.file}#${found.name}`;
    if (isContract(found.file))
      return addresses.get(key) ?? (found.name in schemas ? addressOf(`schemas/${found.name}`) : undefined);
    return (
      addresses.get(member ? `${key}.${member}` : key) ??
      (member ? addressOfProperty(key, member) : undefined)
    );
  }

  /** Returns the address of the section with the table of properties. */
  function addressOfProperty(key: string, member: string): string | undefined {
    const [file = "", name = ""] = key.split("#");
    const members = read(file).declarations.get(name)?.members ?? [];
    return members.some((one) => one.name === member) ? addresses.get(key) : undefined;
  }

  /** Finds a name that the file does not import. */
  function addressAnywhere(target: string): string | undefined {
    const [name = ""] = target.split(".");
    const key = addresses.keys().find((one) => one.endsWith(`#${name}`));
    return key === undefined ? undefined : (addressIn(key.split("#")[0] ?? "", target) ?? addresses.get(key));
  }
}

/** Returns whether a file contains the types that are generated from the contract. */
export function isContract(file: string): boolean {
  return file.startsWith("generated/");
}

/** Returns the first sentence of a comment, which can contain `{@link X.y}`. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}
