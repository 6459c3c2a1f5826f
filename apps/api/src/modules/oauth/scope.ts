import { type Scope, scopeMeanings } from "@parley/contract";

/** What an error description may repeat of a scope: the characters of RFC 6749 section 3.3, and not endlessly. */
const printable = /^[\x21\x23-\x5B\x5D-\x7E]{1,64}$/;

/** Every scope, in the order of specification §5.4. */
export const allScopes = Object.keys(scopeMeanings) as Scope[];

/** The scopes of a `scope` parameter, each once, in the order of the specification; or what is wrong, in words. */
export function parseScope(text: string): { scopes: Scope[] } | { problem: string } {
  const asked = text.split(" ").filter((scope) => scope !== "");
  const unknown = asked.find((scope) => !(allScopes as string[]).includes(scope));
  if (unknown !== undefined) {
    const name = printable.test(unknown) ? `${unknown} ` : "";
    return { problem: `The scope ${name}is unknown; the scopes are ${allScopes.join(", ")}.` };
  }
  if (asked.length === 0) return { problem: "The scope is empty." };
  return { scopes: allScopes.filter((scope) => asked.includes(scope)) };
}
