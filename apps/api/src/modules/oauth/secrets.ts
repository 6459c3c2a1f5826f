import { randomBytes } from "node:crypto";

type Kind = "at" | "rt" | "ac";

/**
 * A new access token (`at`), refresh token (`rt`) or authorization code (`ac`): 256 random bits, more than the 160 of RFC 6749
 * section 10.10.
 */
export function newToken(kind: Kind): string {
  return `parley_${kind}_${randomSecret()}`;
}

/** 256 random bits as 43 characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether the text looks like one of `randomSecret`. */
export function isRandomSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}
