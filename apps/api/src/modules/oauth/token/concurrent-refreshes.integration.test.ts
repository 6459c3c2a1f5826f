import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type TestApi } from "../../../testing/api-server.ts";
import {
  client,
  errorOf,
  form,
  type OAuthFixture,
  startOAuthFixture,
  type Tokens,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
let twin: TestApi;
beforeAll(async () => {
  fixture = await startOAuthFixture();
  twin = await startApi({ DATABASE_URL: fixture.databaseUrl });
});
afterAll(async () => {
  await twin.close();
  await fixture.close();
});

/** Sends the refresh token to both processes in turn. */
function storm(refresh_token: string, callers: number): Promise<Response[]> {
  const fields = { grant_type: "refresh_token", refresh_token, ...client };
  return Promise.all(
    Array.from({ length: callers }, (_, index) => {
      const { url, fetch } = index % 2 === 0 ? fixture : twin;
      return fetch(`${url}/api/oauth/token`, form(fields));
    }),
  );
}

const grantOf = async (token: string) =>
  (
    await fixture.db.oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(token) },
      include: { grant: true },
    })
  ).grant;

describe("concurrent refreshes with one refresh token, at two processes", () => {
  test("return a valid pair to eleven callers, reject more, and keep the grant", async () => {
    const { refresh_token } = await fixture.tokens();
    const responses = await storm(refresh_token, 20);
    const [accepted, rejected] = [200, 400].map((status) => responses.filter((one) => one.status === status));
    expect(rejected).toHaveLength(9);
    const pairs = (await Promise.all((accepted ?? []).map((response) => response.json()))) as Tokens[];
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(11);
    for (const pair of pairs) {
      expect(await fixture.statusOf(pair.access_token)).toBe(200);
      expect((await fixture.refresh(pair.refresh_token)).status).toBe(200);
    }
    expect((await grantOf(refresh_token)).revokedAt).toBeNull();
  });

  test("after the retry window all are rejected, and the grant is revoked and recorded once", async () => {
    const { refresh_token } = await fixture.tokens();
    const successor = (await (await fixture.refresh(refresh_token)).json()) as Tokens;
    await fixture.db.oAuthToken.update({
      where: { tokenHash: hashToken(refresh_token) },
      data: { rotatedAt: new Date(Date.now() - 60_001) },
    });
    const responses = await Promise.all((await storm(refresh_token, 20)).map(errorOf));
    expect(responses).toEqual(Array(20).fill("400 invalid_grant"));
    const { id: grantId, revokedAt } = await grantOf(refresh_token);
    expect(revokedAt).not.toBeNull();
    expect(await fixture.statusOf(successor.access_token)).toBe(401);
    const entries = await fixture.db.auditEntry.findMany({ where: { grantId }, orderBy: { id: "asc" } });
    expect(entries.slice(-2).map(({ event, details }) => [event, details])).toEqual([
      ["token.reused", { reason: "refresh_token_reused" }],
      ["grant.revoked", { reason: "refresh_token_reused" }],
    ]);
    expect(entries.filter(({ event }) => event === "token.reused")).toHaveLength(1);
  });
});

test("a lost response can be requested again within a minute", async () => {
  const { refresh_token } = await fixture.tokens();
  await fixture.refresh(refresh_token);
  await fixture.db.oAuthToken.update({
    where: { tokenHash: hashToken(refresh_token) },
    data: { rotatedAt: new Date(Date.now() - 58_000) },
  });
  const again = (await (await fixture.refresh(refresh_token)).json()) as Tokens;
  expect(await fixture.statusOf(again.access_token)).toBe(200);
});
