import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  basic,
  client,
  errorOf,
  form,
  json,
  type OAuthFixture,
  pkce,
  redirectUri,
  secondClient,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const tokenUrl = () => `${fixture.url}/api/oauth/token`;
/** Returns HTTP Basic without the form-encoding of RFC 6749. */
const plainBasic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

describe("the code grant", () => {
  test("returns both tokens with their type, lifetime and scopes and the API's address, valid immediately", async () => {
    const response = await fixture.exchange(await fixture.code());
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    const tokens = (await response.json()) as Tokens;
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^parley_at_[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^parley_rt_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "leads:read webhooks:manage",
      api_base_url: fixture.url,
    });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { data } = (await (await fixture.fetch(`${fixture.url}/api/v1/me`, { headers })).json()) as {
      data: unknown;
    };
    expect(JSON.stringify(data)).toContain(fixture.userId);
    const leads = await fixture.fetch(`${fixture.url}/api/v1/leads`, { headers });
    const tickets = await fixture.fetch(`${fixture.url}/api/v1/tickets`, { headers });
    expect([leads.status, tickets.status]).toEqual([200, 403]);
    expect(await fixture.statusOf(tokens.refresh_token)).toBe(401);
  });

  test("stores the pair as hashes, for an hour and for thirty days", async () => {
    const { access_token, refresh_token } = await fixture.tokens();
    for (const [token, hours] of [
      [access_token, 1],
      [refresh_token, 720],
    ] as const) {
      const row = await fixture.db.oAuthToken.findUniqueOrThrow({ where: { tokenHash: hashToken(token) } });
      expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(hours * 3_600_000);
    }
  });

  test("only one of several concurrent uses of a code succeeds, and its tokens are revoked", async () => {
    const code = await fixture.code();
    const responses = await Promise.all(Array.from({ length: 8 }, () => fixture.exchange(code)));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const tokens = (await won[0]?.json()) as Tokens;
    expect(await fixture.statusOf(tokens.access_token)).toBe(401);
  });

  test("a code is valid for 60 seconds", async () => {
    const code = await fixture.code();
    const row = await fixture.db.oAuthAuthorizationCode.findUniqueOrThrow({
      where: { codeHash: hashToken(code) },
    });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(60_000);
    await fixture.db.oAuthAuthorizationCode.update({
      where: { codeHash: row.codeHash },
      data: { expiresAt: new Date() },
    });
    expect(await errorOf(await fixture.exchange(code))).toBe("400 invalid_grant");
  });

  test("rejects another client, another redirect URI and an unknown code, and leaves the code valid", async () => {
    const code = await fixture.code();
    for (const response of [
      await fixture.exchange(code, secondClient),
      await fixture.exchange(code, { redirect_uri: "https://app.example.com/callback" }),
      await fixture.exchange(`${code}x`),
    ]) {
      expect(await errorOf(response)).toBe("400 invalid_grant");
    }
    expect((await fixture.exchange(code)).status).toBe(200);
    await fixture.exchange(code, secondClient);
  });
});

describe("PKCE", () => {
  test("requires the verifier of the challenge", async () => {
    const { verifier, challenge } = pkce("~._-".repeat(32));
    expect((await fixture.exchange(await fixture.code(challenge), { code_verifier: verifier })).status).toBe(
      200,
    );
  });

  test.each([
    ["a missing verifier", {}, "missing"],
    ["an empty verifier", { code_verifier: "" }, "missing"],
    ["another verifier", { code_verifier: pkce().verifier }, "does not match"],
  ])("%s makes the code invalid", async (_name, fields, message) => {
    const { verifier, challenge } = pkce();
    const code = await fixture.code(challenge);
    const response = await fixture.exchange(code, fields as Record<string, string>);
    const body = (await response.json()) as { error: string; error_description: string };
    expect(body.error).toBe("invalid_grant");
    expect(body.error_description).toContain(message);
    expect(await errorOf(await fixture.exchange(code, { code_verifier: verifier }))).toBe(
      "400 invalid_grant",
    );
  });

  test("rejects a verifier without a challenge", async () => {
    const response = await fixture.exchange(await fixture.code(), { code_verifier: pkce().verifier });
    expect(await response.json()).toEqual({
      error: "invalid_grant",
      error_description: "The authorization request had no code_challenge. Do not send a code_verifier.",
    });
  });

  test.each(["x".repeat(42), "x".repeat(129), `${"x".repeat(42)}+`, `${"x".repeat(42)}ü`])(
    "rejects the malformed verifier %s",
    async (code_verifier) => {
      const response = await fixture.exchange("parley_ac_x", { code_verifier });
      const body = (await response.json()) as { error: string; error_description: string };
      expect(body.error).toBe("invalid_request");
      expect(body.error_description).toContain("code_verifier");
    },
  );

  test("does not replace the client's secret", async () => {
    const { verifier, challenge } = pkce();
    const code = await fixture.code(challenge);
    const fields = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const without = await fixture.fetch(tokenUrl(), form({ ...fields, client_id: client.client_id }));
    expect(await errorOf(without)).toBe("400 invalid_request");
    const wrong = await fixture.exchange(code, { code_verifier: verifier, client_secret: "wrong" });
    expect(await errorOf(wrong)).toBe("401 invalid_client");
    expect((await fixture.exchange(code, { code_verifier: verifier })).status).toBe(200);
  });
});

describe("client authentication", () => {
  const grant = { grant_type: "refresh_token", refresh_token: "parley_rt_x" };

  test.each([
    ["form and body", () => form({ ...grant, ...client })],
    ["JSON and body", () => json({ ...grant, ...client })],
    ["form and Basic", () => ({ ...form(grant), headers: encoded() })],
    ["JSON and Basic", () => json(grant, encoded())],
    [
      "Basic and the same client_id in the body",
      () => json({ ...grant, client_id: client.client_id }, encoded()),
    ],
    [
      "Basic and an empty secret in the body",
      () => ({ ...form({ ...grant, ...client, client_secret: "" }), headers: encoded() }),
    ],
    ["a second secret", () => form({ ...grant, client_id: client.client_id, client_secret: "newer secret" })],
  ])("by %s succeeds", async (_name, request) => {
    const clientId = client.client_id;
    const secretHash = hashToken("newer secret");
    await fixture.db.oAuthClientSecret.upsert({
      where: { secretHash },
      create: { clientId, secretHash },
      update: {},
    });
    expect(await errorOf(await fixture.fetch(tokenUrl(), request()))).toBe("400 invalid_grant");
  });
  const encoded = () => basic(client);

  test.each([
    ["a wrong secret", {}, { ...client, client_secret: "wrong" }, "401 invalid_client"],
    [
      "another client's secret",
      {},
      { ...client, client_secret: secondClient.client_secret },
      "401 invalid_client",
    ],
    ["an unknown client", {}, { ...client, client_id: "nobody" }, "401 invalid_client"],
    ["no client_id", {}, { client_secret: "x" }, "400 invalid_request"],
    ["no client_secret", {}, { client_id: client.client_id }, "400 invalid_request"],
    ["nothing at all", {}, {}, "400 invalid_request"],
    [
      "Basic and another client_id",
      plainBasic("second-client", "another-secret"),
      { client_id: "x" },
      "400 invalid_request",
    ],
    [
      "Basic and another secret",
      plainBasic("second-client", "another-secret"),
      { client_secret: "x" },
      "400 invalid_request",
    ],
    [
      "Basic and the same secret",
      plainBasic("second-client", "another-secret"),
      secondClient,
      "400 invalid_request",
    ],
  ])("%s is rejected", async (_name, headers, fields, error) => {
    const response = await fixture.fetch(tokenUrl(), json({ ...grant, ...fields }, headers));
    expect(response.headers.get("www-authenticate")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await errorOf(response)).toBe(error);
  });

  test.each([
    ["a wrong secret", plainBasic("second-client", "wrong")],
    ["no colon", { authorization: `Basic ${btoa("second-client")}` }],
    ["no base64", { authorization: "Basic %%%" }],
    ["nothing", { authorization: "Basic" }],
    ["a broken escape", plainBasic("second-client", "%zz")],
    ["a NUL", plainBasic("second-client", "%00")],
  ])("HTTP Basic with %s gets 401 with WWW-Authenticate", async (_name, headers) => {
    const response = await fixture.fetch(tokenUrl(), json(grant, headers));
    expect(response.headers.get("www-authenticate")).toBe('Basic realm="parley"');
    expect(await errorOf(response)).toBe("401 invalid_client");
  });

  test("is throttled after ten wrong secrets, but always accepts the correct secret", async () => {
    const client_id = "guessed-client";
    const secrets = { create: { secretHash: hashToken("right") } };
    await fixture.db.oAuthClient.create({ data: { id: client_id, name: "Guessed", secrets } });
    const ask = (client_secret: string) =>
      fixture.fetch(tokenUrl(), form({ ...grant, client_id, client_secret }));
    for (let i = 0; i < 10; i++) expect((await ask(`wrong ${i}`)).status).toBe(401);
    const response = await ask("wrong again");
    const seconds = Number(response.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(50);
    expect(await response.json()).toEqual({
      error: "rate_limit_exceeded",
      error_description: `Too many failed attempts. Try again in ${seconds} seconds.`,
    });
    expect(response.status).toBe(429);
    expect((await ask("wrong once more")).status).toBe(429);
    const recorded = { event: "client.authentication_throttled", clientId: client_id };
    expect(await fixture.db.auditEntry.count({ where: { ...recorded, address: "127.0.0.1" } })).toBe(1);
    expect(await errorOf(await ask("right"))).toBe("400 invalid_grant"); // Authenticated; the code is what is wrong.
    expect(await errorOf(await fixture.token(grant))).toBe("400 invalid_grant");
  });

  test("many concurrent valid requests are not throttled", async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => fixture.token(grant)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
  });
});

describe("the request", () => {
  test.each([
    [{}, "400 invalid_request", "grant_type"],
    [{ grant_type: "" }, "400 invalid_request", "grant_type"],
    [{ grant_type: "password" }, "400 unsupported_grant_type", "authorization_code"],
    [{ grant_type: "constructor" }, "400 unsupported_grant_type", "authorization_code"],
    [{ grant_type: "authorization_code" }, "400 invalid_request", "code, redirect_uri"],
    [{ grant_type: "authorization_code", code: "x" }, "400 invalid_request", "redirect_uri"],
    [{ grant_type: "refresh_token" }, "400 invalid_request", "refresh_token"],
    [{ grant_type: "refresh_token", refresh_token: "x", scope: "cats:pet" }, "400 invalid_scope", "cats:pet"],
  ])("%o gets %s", async (fields, error, message) => {
    for (const request of [form({ ...client, ...fields }), json({ ...client, ...fields })]) {
      const response = await fixture.fetch(tokenUrl(), request);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.clone().text()).toContain(message);
      expect(await errorOf(response)).toBe(error);
    }
  });

  test("names a parameter that is repeated or has another type", async () => {
    const twice = form({ ...client, grant_type: "refresh_token", refresh_token: "x" });
    (twice.body as URLSearchParams).append("refresh_token", "y");
    for (const request of [twice, json({ ...client, grant_type: "refresh_token", refresh_token: 5 })]) {
      const response = await fixture.fetch(tokenUrl(), request);
      expect(await response.clone().text()).toContain("refresh_token");
      expect(await errorOf(response)).toBe("400 invalid_request");
    }
  });

  test("errors contain no secret", async () => {
    const secrets = { client_secret: "hush-secret", code: "hush-code", code_verifier: "hush".repeat(11) };
    const response = await fixture.exchange(secrets.code, secrets);
    expect(await response.text()).not.toContain("hush");
  });
});
