export { type AuthorizeUrlOptions, authorizeUrl, type Scope } from "./authorize-url.ts";
export { type HandleCallbackOptions, handleCallback } from "./callback.ts";
export {
  type ExchangeCodeOptions,
  exchangeCode,
  type OAuthClientOptions,
  type RefreshOptions,
  type RevokeOptions,
  refresh,
  revoke,
} from "./endpoint.ts";
export { createPkce, type Pkce } from "./pkce.ts";
export type { GrantedTokens, Tokens } from "./tokens.ts";
