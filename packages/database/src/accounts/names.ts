import type { Problem } from "./account-error.ts";

const maxLength = 100;

/**
 * Control characters, those that turn the direction of the text around them, and those that nobody sees: a name must look like
 * what it is, RFC 6749 section 10.11. Emoji and some scripts need joiners, variation selectors and tags.
 */
const deceptive =
  /[\p{Cc}\u2028\u2029\u2800[\p{Default_Ignorable_Code_Point}--[\p{Join_Control}\p{Variation_Selector}\u{E0020}-\u{E007F}]]]/v;

/** Anything but spaces, marks that go with a letter, and what is needed in between. */
const visible = /[^\p{Z}\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** What is wrong with the name of a client, an organization or a user. */
export function checkName(name: string): Problem | undefined {
  const words = problemOf(name);
  return words === undefined ? undefined : { field: "name", words };
}

function problemOf(name: string): string | undefined {
  if (name.trim() === "") return "A name is needed.";
  if (name.length > maxLength) return `The name is longer than ${maxLength} characters.`;
  if (!name.isWellFormed() || deceptive.test(name)) return "The name holds characters that cannot be shown.";
  if (!visible.test(name)) return "The name holds nothing that can be seen.";
  return undefined;
}
