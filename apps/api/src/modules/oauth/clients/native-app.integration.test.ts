import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  locationOf,
  type OAuthFixture,
  pkce,
  publicClient,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

/** RFC 8252 section 7.3. */
describe("a native app that listens on any port", () => {
  let app: Server;
  const callbacks: URL[] = [];
  beforeAll(async () => {
    app = createServer((request, response) => {
      callbacks.push(new URL(request.url ?? "", "http://127.0.0.1"));
      response.end("You may close this window.");
    }).listen(0, "127.0.0.1");
    await once(app, "listening");
  });
  afterAll(() => app.close());

  test("gets the code at its port, and exchanges it without a secret", async () => {
    const redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    const { verifier, challenge } = pkce();
    const browser = await fixture.signedIn();
    const page = fixture.page({ ...publicClient, redirect_uri, ...challenge });
    expect(await (await browser.get(page)).text()).toContain("an app on this device");
    await fetch(locationOf(await browser.press("allow", page))); // As a browser follows the redirect.
    const code = callbacks[0]?.searchParams.get("code") ?? "";
    const grant = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
    const response = await fixture.send({ ...grant, ...publicClient });
    const { access_token } = (await response.json()) as Tokens;
    expect(await fixture.statusOf(access_token)).toBe(200);
  });
});
