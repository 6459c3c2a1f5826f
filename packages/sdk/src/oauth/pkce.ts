/** A PKCE pair (RFC 7636): the challenge goes into {@link authorizeUrl}, the verifier into {@link exchangeCode}. */
export interface Pkce {
  /** Keep it in the user's session until the code comes. */
  readonly codeVerifier: string;
  /** base64url of the SHA-256 of the verifier (`S256`). */
  readonly codeChallenge: string;
}

/**
 * Makes a PKCE pair (specification §5.1).
 *
 * @param codeVerifier - 43 to 128 of `[A-Za-z0-9._~-]`. Default: 43 characters from 256 random bits
 * @throws RangeError when the verifier is something else.
 *
 * @example
 * const { codeVerifier, codeChallenge } = await createPkce();
 */
export async function createPkce(codeVerifier: string = randomVerifier()): Promise<Pkce> {
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw new RangeError("A code verifier has 43 to 128 characters of [A-Za-z0-9._~-]");
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
