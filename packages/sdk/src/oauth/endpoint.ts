import { normalBaseUrl } from "../http/base-url.ts";
import { memberOf } from "../http/member-of.ts";
import { type ConnectionOptions, transportOf } from "../http/options.ts";
import type { RetryPolicy } from "../http/retry.ts";
import { send } from "../http/send.ts";
import type { TokenResponse } from "./tokens.ts";

/** The OAuth client that asks, and how. */
export interface OAuthClientOptions extends ConnectionOptions {
  /** The service's root address. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Its secret; a public client (RFC 6749 §2.1), such as a browser app, has none. */
  readonly clientSecret?: string | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** What {@link exchangeCode} takes. */
export interface ExchangeCodeOptions extends OAuthClientOptions {
  /** The `code` that came to the redirect URI. It works once. */
  readonly code: string;
  /** The same as in {@link authorizeUrl}. */
  readonly redirectUri: string;
  /** Of {@link createPkce}, when the authorization request carried its challenge. */
  readonly codeVerifier?: string | undefined;
}

/** What {@link refresh} takes. */
export interface RefreshOptions extends OAuthClientOptions {
  readonly refreshToken: string;
}

/** What {@link revoke} takes. */
export interface RevokeOptions extends OAuthClientOptions {
  /** An access token, or a refresh token, which ends the whole grant. */
  readonly token: string;
}

/**
 * The service takes the previous refresh token for 60 s, for an answer that was lost; after that for stolen. So a retry
 * has to arrive well within that time.
 */
const refreshRetryMs = 45_000;

/**
 * Exchanges an authorization code for tokens (specification §5.2). A lost answer is not retried: a code's second use
 * revokes what the first one gave.
 *
 * @throws {@link InvalidGrantError}, {@link InvalidClientError} and every other {@link ParleyError}.
 *
 * @example
 * const granted = await exchangeCode({ ...client, code, redirectUri, codeVerifier });
 * const parley = new Parley({ ...client, tokens: toTokens(granted) });
 */
export async function exchangeCode(options: ExchangeCodeOptions): Promise<TokenResponse> {
  const fields = {
    grant_type: "authorization_code",
    code: options.code,
    redirect_uri: options.redirectUri,
    code_verifier: options.codeVerifier,
  };
  return await post(options, "token", fields, {}, isTokenResponse);
}

/**
 * Exchanges a refresh token for a new pair (specification §5.2); the old one is spent. A lost answer is retried within
 * 45 s. {@link Parley} does this by itself.
 *
 * @throws {@link InvalidGrantError} when the user has to authorize again, and every other {@link ParleyError}.
 *
 * @example
 * const tokens = toTokens(await refresh({ ...client, refreshToken }));
 */
export async function refresh(options: RefreshOptions): Promise<TokenResponse> {
  const fields = { grant_type: "refresh_token", refresh_token: options.refreshToken };
  const policy = { repeatable: true, withinMs: refreshRetryMs };
  return await post(options, "token", fields, policy, isTokenResponse);
}

/**
 * Revokes a token (RFC 7009). An unknown token is no error.
 *
 * @example
 * await revoke({ ...client, token: refreshToken });
 */
export async function revoke(options: RevokeOptions): Promise<void> {
  await post(options, "revoke", { token: options.token }, { repeatable: true }, () => true);
}

/** What is undefined of the fields is left out, as JSON does. */
function post<Data>(
  options: OAuthClientOptions,
  endpoint: "token" | "revoke",
  fields: object,
  policy: Omit<RetryPolicy, "maxRetries">,
  isExpected: (body: unknown) => boolean,
): Promise<Data> {
  const { clientId, clientSecret, signal } = options;
  const url = `${normalBaseUrl(options.baseUrl)}/api/oauth/${endpoint}`;
  const body = { ...fields, client_id: clientId, client_secret: clientSecret };
  return send({ method: "POST", url, body, signal }, { ...transportOf(options), ...policy }, isExpected);
}

/** Anything else would be stored in place of a refresh token that still works. */
function isTokenResponse(body: unknown): boolean {
  const [access, refreshed, lifetime] = ["access_token", "refresh_token", "expires_in"].map((name) =>
    memberOf(body, name),
  );
  return typeof access === "string" && typeof refreshed === "string" && typeof lifetime === "number";
}
