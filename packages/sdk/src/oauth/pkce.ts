/** PKCE verifier and challenge (RFC 7636). */
export interface Pkce {
  /** Code verifier for {@link exchangeCode}. Store it in the user's session. */
  readonly codeVerifier: string;
  /** Code challenge for {@link authorizeUrl}: base64url of the verifier's SHA-256 (method `S256`). */
  readonly codeChallenge: string;
}

/**
 * Creates a PKCE verifier and its challenge (RFC 7636, sections 4.1 and 4.2).
 *
 * @param codeVerifier - 43 to 128 characters of `[A-Za-z0-9._~-]`. Default: 43 characters with 256 random bits
 * @throws RangeError if the verifier has another length or other characters
 *
 * @example
 * const { codeVerifier, codeChallenge } = await createPkce();
 */
export async function createPkce(codeVerifier: string = randomVerifier()): Promise<Pkce> {
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw new RangeError("codeVerifier must be 43 to 128 characters of [A-Za-z0-9._~-].");
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return { codeVerifier, codeChallenge: base64url(new Uint8Array(digest)) };
}

function randomVerifier(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
