import { userInfo } from "node:os";

/** The account that the audit log names; behind sudo also whose it says to be, which the variable alone tells. */
export function operatorName(): string {
  const person = process.env["SUDO_USER"];
  return person ? `${account()} (sudo by ${person})` : account();
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // A container may run as a number that has no name.
  }
}
