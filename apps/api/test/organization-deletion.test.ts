import { connect } from "@parley/database";
import { deleteOrganization } from "@parley/database/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Scene, startScene } from "../src/modules/oauth/testing/scene.ts";
import { asPlatform } from "./kit.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

/** Starts the deletion, and keeps it from ending until the returned function is called. */
async function startDeletion(): Promise<() => Promise<void>> {
  const blocker = await connect(scene.databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE chatbots IN SHARE MODE");
  const deletion = deleteOrganization(scene.db, scene.organizationId, { operator: "root" });
  const waiting = () => scene.db.$queryRaw<unknown[]>`
    SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM chatbots%'`;
  await expect.poll(waiting, { timeout: 5_000 }).toHaveLength(1);
  return async () => {
    await blocker.end();
    await deletion;
  };
}

test("an organization that is being deleted cannot be used", async () => {
  const { organizationId } = scene;
  const browser = await scene.signedIn();
  const { access_token, refresh_token } = await scene.tokens();
  const code = await scene.code();
  const write = () =>
    asPlatform(scene, organizationId)("PUT", "/chatbots/bot-1", { name: "Bot", model: "parley-small" });
  expect([await scene.statusOf(access_token), (await write()).status]).toEqual([200, 200]);

  const finish = await startDeletion();
  await scene.refused(access_token);
  for (const answer of [await scene.refresh(refresh_token), await scene.exchange(code)]) {
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_grant" }),
    ]);
  }
  expect((await write()).status).toBe(404);
  expect(await (await browser.get(scene.page())).text()).toContain('name="password"');
  const again = await scene.signedIn();
  expect(await (await again.get(scene.page())).text()).toContain("Email or password is wrong.");
  await finish();
  expect(await scene.db.organization.count({ where: { id: organizationId } })).toBe(0);
});
