import { randomBytes, timingSafeEqual } from "node:crypto";

type Kind = "at" | "rt" | "ac" | "cl";

/**
 * Creates an access token (`at`), refresh token (`rt`), authorization code (`ac`) or token of a console link (`cl`) of 256 random
 * bits; RFC 6749 section 10.10 recommends at least 160.
 */
export function newToken(kind: Kind): string {
  return `parley_${kind}_${randomSecret()}`;
}

/** Creates a secret of 256 random bits, as 43 base64url characters. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Checks for the format of `randomSecret`. */
export function isRandomSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Compares two texts in constant time. Their lengths are not kept secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
