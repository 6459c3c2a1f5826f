import { connect } from "@parley/database";
import { deleteOrganization } from "@parley/database/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OAuthFixture, startOAuthFixture } from "../src/modules/oauth/testing/fixture.ts";
import { asPlatform } from "../src/testing/api-server.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

/** Starts the deletion, which does not end until the returned function is called. */
async function startDeletion(): Promise<() => Promise<void>> {
  const blocker = await connect(fixture.databaseUrl);
  await blocker.query("BEGIN; LOCK TABLE chatbots IN SHARE MODE");
  const deletion = deleteOrganization(fixture.db, fixture.organizationId, { operator: "root" });
  const waiting = () => fixture.db.$queryRaw<unknown[]>`
    SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM chatbots%'`;
  await expect.poll(waiting, { timeout: 30_000 }).toHaveLength(1);
  return async () => {
    await blocker.end();
    await deletion;
  };
}

test("an organization that is being deleted cannot be used", async () => {
  const { organizationId } = fixture;
  const browser = await fixture.signedIn();
  const { access_token, refresh_token } = await fixture.tokens();
  const code = await fixture.code();
  const write = () =>
    asPlatform(fixture, organizationId)("PUT", "/chatbots/bot-1", { name: "Bot", model: "parley-small" });
  expect([await fixture.statusOf(access_token), (await write()).status]).toEqual([200, 200]);

  const finish = await startDeletion();
  await fixture.refused(access_token);
  for (const response of [await fixture.refresh(refresh_token), await fixture.exchange(code)]) {
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_grant" }),
    ]);
  }
  expect((await write()).status).toBe(404);
  expect(await (await browser.get(fixture.page())).text()).toContain('name="password"');
  const again = await fixture.signedIn();
  expect(await (await again.get(fixture.page())).text()).toContain("Email or password is wrong.");
  await finish();
  expect(await fixture.db.organization.count({ where: { id: organizationId } })).toBe(0);
});
