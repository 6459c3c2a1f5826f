import { userInfo } from "node:os";

/**
 * Returns the operator's name for the audit log: the operating system account and, with sudo, SUDO_USER, which is not
 * verified.
 */
export function operatorName(): string {
  const person = process.env["SUDO_USER"];
  return person ? `${account()} (sudo by ${person})` : account();
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`; // In a container, the user ID may have no name.
  }
}
