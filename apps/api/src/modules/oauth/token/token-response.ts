import type { Schemas } from "@parley/contract";
import { accessTokenLifetime } from "../lifetimes.ts";
import type { IssuedTokens } from "./issue-tokens.ts";

/** Returns the body of RFC 6749 section 5.1 with the fields of specification §5.2, the same for both grants. */
export function tokenResponse(
  { accessToken, refreshToken, scopes }: IssuedTokens,
  apiBaseUrl: string,
): Schemas["TokenResponse"] {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "Bearer",
    expires_in: accessTokenLifetime / 1000,
    scope: scopes.join(" "),
    api_base_url: apiBaseUrl,
  };
}
