import { errorFrom } from "../errors/error-from.ts";
import { normalBaseUrl } from "../http/base-url.ts";
import { createRawClient, unwrap } from "../http/client.ts";
import { type ConnectionOptions, transportOf } from "../http/options.ts";
import { createFetch } from "../http/transport.ts";
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
  const { client, init, clock } = endpointOf(options);
  const body = {
    grant_type: "authorization_code",
    code: options.code,
    redirect_uri: options.redirectUri,
    ...credentials(options),
    ...(options.codeVerifier !== undefined && { code_verifier: options.codeVerifier }),
  };
  return await unwrap(client.POST("/api/oauth/token", { body, ...init }), clock);
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
  const { client, init, clock } = endpointOf(options, { repeatable: true, withinMs: refreshRetryMs });
  const body = { grant_type: "refresh_token", refresh_token: options.refreshToken, ...credentials(options) };
  return await unwrap(client.POST("/api/oauth/token", { body, ...init }), clock);
}

/**
 * Revokes a token (RFC 7009). An unknown token is no error.
 *
 * @example
 * await revoke({ ...client, token: refreshToken });
 */
export async function revoke(options: RevokeOptions): Promise<void> {
  const { client, init, clock } = endpointOf(options, { repeatable: true });
  const body = { token: options.token, ...credentials(options) };
  const { response, error } = await client.POST("/api/oauth/revoke", { body, ...init });
  if (!response.ok) throw errorFrom(response, error, clock.now());
}

function endpointOf(options: OAuthClientOptions, policy: { repeatable?: boolean; withinMs?: number } = {}) {
  const transport = { ...transportOf(options), ...policy };
  const client = createRawClient(normalBaseUrl(options.baseUrl), createFetch(transport));
  return { client, clock: transport.clock, init: options.signal ? { signal: options.signal } : {} };
}

function credentials(options: OAuthClientOptions) {
  const { clientId, clientSecret } = options;
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}
