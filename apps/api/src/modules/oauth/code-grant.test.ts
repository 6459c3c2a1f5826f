import { afterAll, beforeAll, expect, test } from "vitest";
import { findCode, useCode } from "./code-grant.ts";
import { libraryClient } from "./grant-context.ts";
import { client, redirectUri, type Scene, startScene, type Tokens } from "./testing/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

test("a use that loses the race after both found the code still revokes what the winner gets", async () => {
  const { db } = scene;
  const registered = await db.oAuthClient.findUniqueOrThrow({ where: { id: client.client_id } });
  const parameters = { redirect_uri: redirectUri };
  const loser = { db, now: new Date(), client: libraryClient(registered), parameters };
  const text = await scene.code();
  const found = await findCode(loser, text);
  if (!found) throw new Error("the code is not there");

  const { access_token } = (await (await scene.exchange(text)).json()) as Tokens;
  expect(await scene.statusOf(access_token)).toBe(200);
  expect(await useCode(loser, found)).toBe(false);
  expect(await scene.statusOf(access_token)).toBe(401);
});
