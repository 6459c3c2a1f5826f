import type { Problem } from "./account-error.ts";

const maxLength = 100;

/**
 * Control characters, bidirectional controls and invisible characters, which could make a name look like another one, RFC 6749
 * section 10.11. Joiners, variation selectors and tags are allowed, because emoji and some scripts need them.
 */
const deceptive =
  /[\p{Cc}\u2028\u2029\u2800[\p{Default_Ignorable_Code_Point}--[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]]]/v;

/**
 * Characters that are visible without another character: no spaces, combining marks, control or ignorable characters.
 */
const visible = /[^\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Validates the name of a client, organization or user. Returns the problem, if any. */
export function checkName(name: string): Problem | undefined {
  const message = problemOf(name);
  return message === undefined ? undefined : { field: "name", message };
}

function problemOf(name: string): string | undefined {
  if (name.trim() === "") return "A name is required.";
  if (name.length > maxLength) return `The name must have at most ${maxLength} characters.`;
  if (!name.isWellFormed() || deceptive.test(name))
    return "The name must not contain control or invisible characters.";
  if (!visible.test(name)) return "The name must contain a visible character.";
  return undefined;
}
