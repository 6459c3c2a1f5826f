import type { Token } from "@node-oauth/oauth2-server";
import type { Schemas } from "@parley/contract";
import { accessTokenLifetime } from "../lifetimes.ts";

/** The answer of RFC 6749 sections 5.1 and 6 with the fields of specification §5.2, the same for both grants. */
export function tokenResponse(token: Token, apiBaseUrl: string): Schemas["TokenResponse"] {
  return {
    access_token: token.accessToken,
    refresh_token: token.refreshToken ?? "",
    token_type: "Bearer",
    expires_in: accessTokenLifetime / 1000,
    scope: (token.scope ?? []).join(" "),
    api_base_url: apiBaseUrl,
  };
}
