import type { Problem } from "./account-error.ts";

const maxLength = 100;

/** Control characters, and those that turn the direction of the text around them: a name must look like what it is. */
const deceptive = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** What is wrong with the name of a client, an organization or a user. */
export function checkName(name: string): Problem | undefined {
  const words = problemOf(name);
  return words === undefined ? undefined : { field: "name", words };
}

function problemOf(name: string): string | undefined {
  if (name.trim() === "") return "A name is needed.";
  if (name.length > maxLength) return `The name is longer than ${maxLength} characters.`;
  if (!name.isWellFormed() || deceptive.test(name)) return "The name holds characters that cannot be shown.";
  return undefined;
}
