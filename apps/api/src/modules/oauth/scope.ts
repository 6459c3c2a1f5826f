import { allowsScope, type Scope, scopeMeanings } from "@parley/contract";

/** Scopes that an error description may contain: up to 64 of the characters that RFC 6749 section 3.3 allows. */
const printable = /^[\x21\x23-\x5B\x5D-\x7E]{1,64}$/;

/** All scopes, in the order of the contract. */
export const allScopes = Object.keys(scopeMeanings) as Scope[];

/** Divides requested scopes into scopes that a user may give an app, and scopes that the role of the user does not allow, RFC 6749 section 3.3. */
export function divideScopes(
  requested: Scope[],
  { role }: { role: string },
): Record<"granted" | "withheld", Scope[]> {
  return {
    granted: requested.filter((scope) => allowsScope(role, scope)),
    withheld: requested.filter((scope) => !allowsScope(role, scope)),
  };
}

/**
 * Parses a `scope` parameter, RFC 6749 section 3.3, RFC 9700 section 2.3.
 *
 * @returns each scope once, in the order of `allScopes`; or a description of the problem
 */
export function parseScope(text: string): { scopes: Scope[] } | { problem: string } {
  const requested = text.split(" ").filter((scope) => scope !== "");
  const unknown = requested.find((scope) => !(allScopes as string[]).includes(scope));
  if (unknown !== undefined) {
    const name = printable.test(unknown) ? `${unknown} ` : "";
    return { problem: `The scope ${name}is unknown. Available scopes: ${allScopes.join(", ")}.` };
  }
  if (requested.length === 0) return { problem: "The scope is empty. Request at least one scope." };
  return { scopes: allScopes.filter((scope) => requested.includes(scope)) };
}
