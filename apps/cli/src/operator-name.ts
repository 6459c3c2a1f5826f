import { userInfo } from "node:os";

/** The account that the audit log names; behind sudo, the person's own. */
export function operatorName(): string {
  const person = process.env["SUDO_USER"];
  if (person) return person;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // A container may run as a number that has no name.
  }
}
