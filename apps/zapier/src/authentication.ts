import type { ResponseOf, Scope } from "@parley/contract";
import type { Authentication, Bundle, ZObject } from "zapier-platform-core";

const scopes: Scope[] = ["leads:read", "leads:write", "tickets:write", "webhooks:manage"];
const scope = scopes.join(" ");

const client = { client_id: "{{process.env.CLIENT_ID}}", client_secret: "{{process.env.CLIENT_SECRET}}" };
const tokenEndpoint = { method: "POST", url: "{{process.env.BASE_URL}}/api/oauth/token" } as const;

interface Account {
  organization: string;
  email: string;
}

/** Tests the connection, and returns the organization and user that it belongs to. */
async function test(z: ZObject): Promise<Account> {
  const { data } = await z.request<ResponseOf<"getMe">>({ url: "/api/v1/me" });
  const { name: organization, user } = data.data.attributes;
  return { organization, email: user.email };
}

/** @param bundle its `inputData` is what {@link test} returned */
async function connectionLabel(_z: ZObject, bundle: Bundle): Promise<string> {
  const { organization, email } = bundle.inputData as unknown as Account;
  return `${organization} (${email})`;
}

/** OAuth 2.0 with PKCE: Zapier adds the challenge to `authorizeUrl`, and stores both new tokens after each refresh. */
export const authentication: Authentication = {
  type: "oauth2",
  oauth2Config: {
    authorizeUrl: {
      url: "{{process.env.BASE_URL}}/api/oauth/authorize",
      params: {
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: "{{bundle.inputData.redirect_uri}}",
        state: "{{bundle.inputData.state}}",
        scope,
      },
    },
    getAccessToken: {
      ...tokenEndpoint,
      body: {
        grant_type: "authorization_code",
        code: "{{bundle.inputData.code}}",
        redirect_uri: "{{bundle.inputData.redirect_uri}}",
        code_verifier: "{{bundle.inputData.code_verifier}}",
        ...client,
      },
    },
    refreshAccessToken: {
      ...tokenEndpoint,
      body: { grant_type: "refresh_token", refresh_token: "{{bundle.authData.refresh_token}}", ...client },
    },
    scope,
    enablePkce: true,
    autoRefresh: true,
  },
  fields: [{ key: "api_base_url", computed: true, required: false }],
  test,
  connectionLabel,
};
