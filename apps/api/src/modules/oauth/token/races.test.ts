import { hashToken } from "@parley/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, redirectUri, type Scene, startScene, type Tokens } from "../testing/fixture.ts";
import { findCode, useCode } from "./authorization-code-grant.ts";
import { findRefreshToken, rotateRefreshToken } from "./refresh-token-grant.ts";
import { type GrantContext, libraryClient } from "./token-context.ts";

let scene: Scene;
/** A request that found what it wants, and then is overtaken by another. */
let slow: GrantContext;
beforeAll(async () => {
  scene = await startScene();
  const { db } = scene;
  const registered = await db.oAuthClient.findUniqueOrThrow({ where: { id: client.client_id } });
  const parameters = { redirect_uri: redirectUri };
  slow = { db, now: new Date(), client: libraryClient(registered), parameters, address: "192.0.2.1" };
});
afterAll(() => scene.close());

test("a use that loses the race for a code still revokes what the winner gets", async () => {
  const code = await scene.code();
  const found = await findCode(slow, code);
  if (!found) throw new Error("the code is not there");

  const { access_token } = (await (await scene.exchange(code)).json()) as Tokens;
  expect(await scene.statusOf(access_token)).toBe(200);
  expect(await useCode(slow, found)).toBe(false);
  await scene.refused(access_token);
});

test("a refresh that comes back after the retry window of another's rotation gets nothing", async () => {
  const { refresh_token } = await scene.tokens();
  const found = await findRefreshToken(slow, refresh_token);
  if (!found) throw new Error("the refresh token is not there");

  const rotatedAt = new Date(slow.now.getTime() - 60_001);
  await scene.db.oAuthToken.update({ where: { tokenHash: hashToken(refresh_token) }, data: { rotatedAt } });
  expect(await rotateRefreshToken(slow, found)).toBe(false);
});
