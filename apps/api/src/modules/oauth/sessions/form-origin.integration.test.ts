import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcome } from "../testing/attacks.ts";
import { TestBrowser } from "../testing/browser.ts";
import { client, type OAuthFixture, password, startOAuthFixture } from "../testing/fixture.ts";

const publicUrl = "https://parley.example.com";

type Trial = [from: string, headers: Record<string, string>, isTaken: boolean];

/** PORT stands for the port of the server. */
const trialsWithoutPublicUrl: Trial[] = [
  ["the address itself", { origin: "http://localhost:PORT" }, true],
  ["the address behind a proxy that ends TLS", { origin: "https://localhost:PORT" }, true],
  ["no Origin, as of an old browser", {}, true],
  ["another site", { origin: "https://evil.example" }, false],
  ["another name of the machine", { origin: "http://127.0.0.1:PORT" }, false],
  ["another port of the host", { origin: "http://localhost:1" }, false],
  ["an opaque origin, as of a sandboxed frame", { origin: "null" }, false],
  ["an Origin that is not a URL", { origin: "localhost:PORT" }, false],
  ["an empty Origin", { origin: "" }, false],
  [
    "a site that a proxy names which is not trusted",
    { origin: "https://evil.example", "x-forwarded-host": "evil.example" },
    false,
  ],
];
const trialsBehindProxy: Trial[] = [
  ["the host that the proxy names", { origin: publicUrl, "x-forwarded-host": "parley.example.com" }, true],
  ["another site", { origin: "https://evil.example", "x-forwarded-host": "parley.example.com" }, false],
];
const trialsWithPublicUrl: Trial[] = [
  ["the public address", { origin: publicUrl }, true],
  ["no Origin, as of an old browser", {}, true],
  ["the public host without TLS", { origin: "http://parley.example.com" }, false],
  ["another port of the public host", { origin: `${publicUrl}:8443` }, false],
  ["a subdomain", { origin: "https://evil.parley.example.com" }, false],
  ["the address listened on", { origin: "http://localhost:PORT" }, false],
  ["an opaque origin, as of a sandboxed frame", { origin: "null" }, false],
];

describe.each<[string, object, Trial[]]>([
  ["without PUBLIC_URL", {}, trialsWithoutPublicUrl],
  ["without PUBLIC_URL, behind a proxy that is trusted", { TRUST_PROXY: "true" }, trialsBehindProxy],
  ["with PUBLIC_URL", { PUBLIC_URL: publicUrl }, trialsWithPublicUrl],
])("a form with a valid token, %s", (_name, overrides, trials) => {
  let fixture: OAuthFixture;
  beforeAll(async () => {
    fixture = await startOAuthFixture(overrides);
  });
  afterAll(() => fixture.close());

  test.each(trials)("from %s", async (_from, given, isTaken) => {
    const { port } = new URL(fixture.url);
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace("PORT", port)]),
    );
    const root = `http://localhost:${port}`;
    const page = fixture.page().replace(fixture.url, root);
    const [visitor, user] = [new TestBrowser(fixture.fetch), await fixture.signedIn()];
    const responses = [
      await visitor.press("sign_in", page, { email: fixture.email, password }, headers),
      await user.press("allow", page, {}, headers),
      await user.press("revoke", `${root}/console/apps`, { client_id: client.client_id }, headers),
      await user.press("sign_out", `${root}/console/clients`, {}, headers),
    ];
    expect(await Promise.all(responses.map(outcome))).toEqual(
      isTaken
        ? ["303 here", "303 app.example.com code", "303 here", "303 here"]
        : ["403 page", "403 page", "403 page", "403 page"],
    );
  });
});
