import type { components } from "../generated/schema.ts";
import { normalizeBaseUrl } from "../http/base-url.ts";
import { memberOf } from "../http/member-of.ts";
import { type ConnectionOptions, transportOf } from "../http/options.ts";
import type { RetryPolicy } from "../http/retry.ts";
import { type JsonRequest, send } from "../http/send.ts";
import type { GrantedTokens } from "./tokens.ts";

/** Response of the token endpoint (RFC 6749, section 5.1). */
type TokenResponse = components["schemas"]["TokenResponse"];

/** Client credentials and request options of the OAuth functions. */
export interface OAuthClientOptions extends ConnectionOptions {
  /** Client ID of your app. */
  readonly clientId: string;
  /** Client secret. A public client (RFC 6749, section 2.1), such as a browser app, has no secret. */
  readonly clientSecret?: string | undefined;
  /** Signal that aborts the call, including its retries. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link exchangeCode}. */
export interface ExchangeCodeOptions extends OAuthClientOptions {
  /** Authorization code from the query of the redirect. It is valid for 60 seconds and works once. */
  readonly code: string;
  /** The same redirect URI as in {@link authorizeUrl}. */
  readonly redirectUri: string;
  /** `codeVerifier` of {@link createPkce}. Required if you passed `codeChallenge` to {@link authorizeUrl}. */
  readonly codeVerifier?: string | undefined;
}

/** Options of {@link refresh}. */
export interface RefreshOptions extends OAuthClientOptions {
  /** Refresh token to exchange. */
  readonly refreshToken: string;
}

/** Options of {@link revoke}. */
export interface RevokeOptions extends OAuthClientOptions {
  /** Token to revoke. A refresh token also revokes its grant and all tokens of the grant. */
  readonly token: string;
}

/**
 * The API accepts the previous refresh token for 60 s, for example if a response was lost. If it is used later, the API
 * treats it as stolen and revokes the grant, so a retry must arrive well within this time.
 */
const refreshRetryMs = 45_000;

/**
 * Exchanges an authorization code for tokens (RFC 6749, section 4.1.3). The request is only retried after 429, because
 * a second use of the code revokes the tokens of the first use.
 *
 * @throws {@link InvalidGrantError} if the code is expired, used or invalid, or `redirectUri` or `codeVerifier` does not match
 * @throws {@link InvalidClientError} if the client credentials are wrong
 * @throws {@link ParleyError} if the call fails for another reason
 *
 * @example
 * const tokens = await exchangeCode({ ...client, code, redirectUri, codeVerifier });
 * const parley = new Parley({ ...client, tokens });
 */
export function exchangeCode(options: ExchangeCodeOptions): Promise<GrantedTokens> {
  const fields = {
    grant_type: "authorization_code",
    code: options.code,
    redirect_uri: options.redirectUri,
    code_verifier: options.codeVerifier,
  };
  return requestTokens(options, fields);
}

/**
 * Exchanges a refresh token for a new pair of tokens (RFC 6749, section 6). The API accepts the previous refresh token
 * for 60 seconds, so this function can retry if a response is lost. It starts retries only in the first 45 seconds. You
 * do not need this function with {@link Parley}, which refreshes its tokens automatically.
 *
 * @throws {@link InvalidGrantError} if the user must authorize again
 * @throws {@link ParleyError} if the call fails for another reason
 *
 * @example
 * const { accessToken, expiresAt } = await refresh({ ...client, refreshToken });
 */
export function refresh(options: RefreshOptions): Promise<GrantedTokens> {
  const fields = { grant_type: "refresh_token", refresh_token: options.refreshToken };
  return requestTokens(options, fields, { idempotent: true, withinMs: refreshRetryMs });
}

/**
 * Revokes a token (RFC 7009). For a refresh token, the API revokes the grant with all its tokens. For an access token,
 * it revokes only this token. An unknown token is not an error.
 *
 * @throws {@link ParleyError} if the call fails
 *
 * @example
 * await revoke({ ...client, token: refreshToken });
 */
export async function revoke(options: RevokeOptions): Promise<void> {
  const transport = { ...transportOf(options), idempotent: true };
  await send(requestOf(options, "revoke", { token: options.token }), transport, () => true);
}

async function requestTokens(
  options: OAuthClientOptions,
  fields: { readonly grant_type: string },
  policy?: Omit<RetryPolicy, "maxRetries">,
): Promise<GrantedTokens> {
  const transport = { ...transportOf(options), ...policy };
  const request = requestOf(options, "token", fields);
  const body = (await send(request, transport, isTokenResponse)).body as TokenResponse;
  transport.log("info", request, `tokens issued for ${fields.grant_type}`);
  return {
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    expiresAt: transport.clock.now() + body.expires_in * 1000,
    scopes: body.scope.split(" "),
    apiBaseUrl: body.api_base_url,
  };
}

/** Returns a request with the fields and the client credentials. JSON leaves out undefined fields. */
function requestOf(
  { baseUrl, clientId, clientSecret, signal }: OAuthClientOptions,
  endpoint: "token" | "revoke",
  fields: object,
): JsonRequest {
  return {
    method: "POST",
    url: `${normalizeBaseUrl(baseUrl)}/api/oauth/${endpoint}`,
    body: { ...fields, client_id: clientId, client_secret: clientSecret },
    signal,
  };
}

/**
 * Checks whether the body has the members of a token response. Any other body must not replace a stored refresh token that
 * still works.
 */
function isTokenResponse(body: unknown): boolean {
  const required = ["access_token", "refresh_token", "expires_in", "scope", "api_base_url"];
  return required.every((name) => memberOf(body, name));
}
