/** The base64url form of a SHA-256 digest, RFC 7636 section 4.2. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** 43 to 128 unreserved characters, RFC 7636 section 4.1. */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}
