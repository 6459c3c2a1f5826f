import { createHash } from "node:crypto";
import { constantTimeEqual } from "./secrets.ts";

/** Checks for the base64url form of a SHA-256 digest, RFC 7636 section 4.2. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Checks for 43 to 128 unreserved characters, RFC 7636 section 4.1. */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

/** Compares the S256 transformation of a verifier with a challenge in constant time, RFC 7636 section 4.6. */
export function matchesCodeChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return constantTimeEqual(createHash("sha256").update(codeVerifier).digest("base64url"), codeChallenge);
}
