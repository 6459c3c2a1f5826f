import { afterAll, beforeAll, expect, test } from "vitest";
import {
  client,
  errorOf,
  form,
  type OAuthFixture,
  secondClient,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const revoke = (fields: Record<string, string>) =>
  fixture.fetch(`${fixture.url}/api/oauth/revoke`, form({ ...client, ...fields }));

test("revokes the grant of a refresh token", async () => {
  const first = await fixture.tokens();
  const second = (await (await fixture.refresh(first.refresh_token)).json()) as Tokens;
  const response = await revoke({ token: first.refresh_token, token_type_hint: "refresh_token" });
  expect([response.status, await response.json(), response.headers.get("cache-control")]).toEqual([
    200,
    {},
    "no-store",
  ]);
  for (const { access_token } of [first, second]) expect(await fixture.statusOf(access_token)).toBe(401);
  expect(await errorOf(await fixture.refresh(second.refresh_token))).toBe("400 invalid_grant");
});

test("revokes only the given access token", async () => {
  const tokens = await fixture.tokens();
  expect((await revoke({ token: tokens.access_token })).status).toBe(200);
  expect(await fixture.statusOf(tokens.access_token)).toBe(401);
  const refreshed = (await (await fixture.refresh(tokens.refresh_token)).json()) as Tokens;
  expect(await fixture.statusOf(refreshed.access_token)).toBe(200);
});

test("returns 200 for an unknown token and for a second revocation", async () => {
  expect((await revoke({ token: "parley_at_unknown" })).status).toBe(200);
  const { access_token } = await fixture.tokens();
  expect((await revoke({ token: access_token })).status).toBe(200);
  expect((await revoke({ token: access_token })).status).toBe(200);
});

test("requires client credentials and a token of the client", async () => {
  const { access_token } = await fixture.tokens();
  expect(await errorOf(await revoke({ token: access_token, client_secret: "wrong" }))).toBe(
    "401 invalid_client",
  );
  expect(await errorOf(await revoke({ token: "" }))).toBe("400 invalid_request");
  expect(await errorOf(await revoke({}))).toBe("400 invalid_request");
  expect(await errorOf(await revoke({ token: access_token, ...secondClient }))).toBe("400 invalid_grant");
  expect(await fixture.statusOf(access_token)).toBe(200);
});

test("revocation by the app, and reuse of a refresh token, change no webhook", async () => {
  const { organizationId, userId } = fixture;
  const { id } = await fixture.db.subscription.create({
    data: {
      ...{ organizationId, userId, clientId: client.client_id },
      ...{ targetUrl: "https://hooks.example.com/", eventTypes: ["*"], secret: Buffer.alloc(1) },
    },
  });
  await revoke({ token: (await fixture.tokens()).refresh_token });
  const { refresh_token } = await fixture.tokens();
  await fixture.refresh(refresh_token);
  await fixture.db.oAuthToken.updateMany({
    data: { rotatedAt: new Date(Date.now() - 61_000) },
    where: { rotatedAt: { not: null } },
  });
  expect(await errorOf(await fixture.refresh(refresh_token))).toBe("400 invalid_grant");
  expect(await fixture.db.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({ enabled: true });
});
