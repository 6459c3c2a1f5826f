import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  errorOf,
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

async function refreshed(refreshToken: string, fields = {}): Promise<Tokens> {
  const response = await fixture.refresh(refreshToken, fields);
  expect(response.status).toBe(200);
  return (await response.json()) as Tokens;
}

/** Moves the rotation of a token into the past. */
async function age(token: string, seconds: number): Promise<void> {
  await fixture.db.$executeRaw`
    UPDATE oauth_tokens SET rotated_at = rotated_at - make_interval(secs => ${seconds})
    WHERE token_hash = ${hashToken(token)}`;
}

/** Lets days pass for a token. */
async function grow(token: string, days: number): Promise<void> {
  await fixture.db.$executeRaw`
    UPDATE oauth_tokens SET expires_at = expires_at - make_interval(days => ${days})
    WHERE token_hash = ${hashToken(token)}`;
}

describe("the refresh grant", () => {
  test("returns a new pair in the same format as the code grant", async () => {
    const first = await fixture.tokens();
    const second = await refreshed(first.refresh_token);
    expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort());
    expect(second).toMatchObject({ scope: first.scope, expires_in: 3600, api_base_url: fixture.url });
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await fixture.statusOf(second.access_token)).toBe(200);
    await refreshed(second.refresh_token);
  });

  test("the previous token may be retried within 60 seconds and yields a working pair", async () => {
    const { refresh_token } = await fixture.tokens();
    const lost = await refreshed(refresh_token);
    await age(refresh_token, 55);
    const retried = await refreshed(refresh_token);
    for (const { access_token, refresh_token: next } of [lost, retried]) {
      expect(await fixture.statusOf(access_token)).toBe(200);
      await refreshed(next);
    }
  });

  test("the previous token may be retried ten times; more attempts do not revoke the grant", async () => {
    const { refresh_token } = await fixture.tokens();
    await refreshed(refresh_token);
    const where = { tokenHash: hashToken(refresh_token) };
    await fixture.db.oAuthToken.update({ where, data: { exchanges: { increment: 9 } } });
    const last = await refreshed(refresh_token);
    expect(await errorOf(await fixture.refresh(refresh_token))).toBe("400 invalid_grant");
    await refreshed(last.refresh_token);
  });

  test("a retry does not prolong the 60 seconds", async () => {
    const { refresh_token } = await fixture.tokens();
    await refreshed(refresh_token);
    await age(refresh_token, 40);
    await refreshed(refresh_token);
    await age(refresh_token, 25);
    expect(await errorOf(await fixture.refresh(refresh_token))).toBe("400 invalid_grant");
  });

  test("a refresh token that is used later is treated as stolen, and the grant is revoked", async () => {
    const first = await fixture.tokens();
    const second = await refreshed(first.refresh_token);
    await age(first.refresh_token, 61);
    expect(await errorOf(await fixture.refresh(first.refresh_token))).toBe("400 invalid_grant");
    expect(await errorOf(await fixture.refresh(second.refresh_token))).toBe("400 invalid_grant");
    expect(await fixture.statusOf(second.access_token)).toBe(401);
    expect(await fixture.statusOf(first.access_token)).toBe(401);
  });

  test("concurrent refreshes all get working pairs", async () => {
    const { refresh_token } = await fixture.tokens();
    const pairs = await Promise.all(Array.from({ length: 8 }, () => refreshed(refresh_token)));
    for (const { access_token } of pairs) expect(await fixture.statusOf(access_token)).toBe(200);
  });

  test("a token expires after thirty days; its successor is valid for another thirty days", async () => {
    const { refresh_token } = await fixture.tokens();
    await grow(refresh_token, 29);
    const next = (await refreshed(refresh_token)).refresh_token;
    await grow(next, 29);
    await refreshed(next);
    const unused = (await fixture.tokens()).refresh_token;
    await grow(unused, 30);
    expect(await errorOf(await fixture.refresh(unused))).toBe("400 invalid_grant");
  });

  test("rejects another client's token, an unknown token, an access token and an expired token, and revokes nothing", async () => {
    const tokens = await fixture.tokens();
    const expired = await fixture.tokens();
    const tokenHash = hashToken(expired.refresh_token);
    await fixture.db.oAuthToken.update({ where: { tokenHash }, data: { expiresAt: new Date() } });
    for (const response of [
      await fixture.refresh(tokens.refresh_token, secondClient),
      await fixture.refresh(`${tokens.refresh_token}x`),
      await fixture.refresh(tokens.access_token),
      await fixture.refresh(expired.refresh_token),
    ]) {
      expect(await errorOf(response)).toBe("400 invalid_grant");
    }
    await refreshed(tokens.refresh_token);
  });

  test("a narrower scope narrows only the access token", async () => {
    const first = await fixture.tokens();
    const second = await refreshed(first.refresh_token, { scope: "leads:read leads:read" });
    expect(second.scope).toBe("leads:read");
    const headers = { authorization: `Bearer ${second.access_token}` };
    expect((await fixture.fetch(`${fixture.url}/api/v1/webhooks`, { headers })).status).toBe(403);
    expect((await refreshed(second.refresh_token)).scope).toBe("leads:read webhooks:manage");
  });

  test("a wider scope is rejected without rotating the token", async () => {
    const { refresh_token } = await fixture.tokens();
    const response = await fixture.refresh(refresh_token, { scope: "leads:read tickets:read" });
    expect(await errorOf(response)).toBe("400 invalid_scope");
    const row = await fixture.db.oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(refresh_token) },
    });
    expect(row.rotatedAt).toBeNull();
  });
});
