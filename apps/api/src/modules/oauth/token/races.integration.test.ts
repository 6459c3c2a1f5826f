import { hashToken } from "@parley/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type OAuthFixture, startOAuthFixture, type Tokens } from "../testing/fixture.ts";
import { findAuthorizationCode, useAuthorizationCode } from "./authorization-code-grant.ts";
import type { TokenContext } from "./issue-tokens.ts";
import { findRefreshToken, rotateRefreshToken } from "./refresh-token-grant.ts";

let fixture: OAuthFixture;
/** A request that found its code or token, and then is overtaken by another request. */
let slow: TokenContext;
beforeAll(async () => {
  fixture = await startOAuthFixture();
  const { db } = fixture;
  slow = { db, now: new Date(), client: { id: client.client_id }, address: "192.0.2.1" };
});
afterAll(() => fixture.close());

test("revokes the tokens of the first of two concurrent uses of a code", async () => {
  const code = await fixture.code();
  const found = await findAuthorizationCode(slow, code);

  const { access_token } = (await (await fixture.exchange(code)).json()) as Tokens;
  expect(await fixture.statusOf(access_token)).toBe(200);
  await expect(useAuthorizationCode(slow, found)).rejects.toMatchObject({ code: "invalid_grant" });
  await fixture.refused(access_token);
});

test("rejects a refresh that reaches the rotation after the retry window of another request", async () => {
  const { refresh_token } = await fixture.tokens();
  const found = await findRefreshToken(slow, refresh_token);

  const rotatedAt = new Date(slow.now.getTime() - 60_001);
  await fixture.db.oAuthToken.update({ where: { tokenHash: hashToken(refresh_token) }, data: { rotatedAt } });
  await expect(rotateRefreshToken(slow, found)).rejects.toMatchObject({ code: "invalid_grant" });
});
