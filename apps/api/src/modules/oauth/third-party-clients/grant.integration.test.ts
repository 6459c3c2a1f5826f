import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import grantModule, { type GrantProvider, type GrantResponse } from "grant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { locationOf, type OAuthFixture, startOAuthFixture } from "../testing/fixture.ts";
import { registerClient } from "../testing/third-party-client.ts";

/** Its types describe the export `default` of a CommonJS module. */
const { default: grant } = grantModule;

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

/** Starts an app that connects to Parley through grant and responds with what grant received. */
async function startApp(settings: GrantProvider): Promise<{ origin: string; server: Server }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clientId, clientSecret } = await registerClient(fixture.db, `${origin}/connect/parley/callback`);
  const handle = grant.node({
    config: {
      defaults: { origin, transport: "state", response: ["tokens", "raw"] },
      parley: {
        oauth: 2,
        authorize_url: `${fixture.url}/api/oauth/authorize`,
        access_url: `${fixture.url}/api/oauth/token`,
        key: clientId,
        secret: clientSecret,
        scope: ["leads:read", "tickets:read"],
        scope_delimiter: " ", // grant's default is a comma
        state: true,
        pkce: true,
        ...settings,
      },
    },
    session: { secret: "a secret of the app" },
  });
  server.on("request", (request, response) => {
    void handle(request, response).then((result) => {
      if (!result.redirect) response.end(JSON.stringify(result.response));
    });
  });
  return { origin, server };
}

/** grant offers neither refresh nor revocation. */
describe.each<[string, GrantProvider]>([
  ["its secret in the body", {}],
  ["HTTP Basic without form-encoding", { token_endpoint_auth_method: "client_secret_basic" }],
])("grant with %s", (_name, settings) => {
  async function connect(action: string): Promise<GrantResponse> {
    const { origin, server } = await startApp(settings);
    const start = await fetch(`${origin}/connect/parley`, { redirect: "manual" });
    const cookie = start.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const browser = await fixture.signedIn();
    const callback = locationOf(await browser.press(action, locationOf(start).href));
    const response = (await (await fetch(callback, { headers: { cookie } })).json()) as GrantResponse;
    server.close();
    return response;
  }

  test("authorizes with state and PKCE, and exchanges", async () => {
    const { access_token = "", refresh_token = "", raw } = await connect("allow");
    expect(raw).toMatchObject({ scope: "leads:read tickets:read", expires_in: 3600 });
    expect(await fixture.statusOf(access_token)).toBe(200);
    expect(refresh_token).toMatch(/^parley_rt_/);
  });
});
