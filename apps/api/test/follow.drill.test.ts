import { setTimeout as sleep } from "node:timers/promises";
import { Parley, ParleyPlatform } from "@parley/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type TestApi } from "../src/testing/api-server.ts";
import { hashOfKey } from "../src/testing/factories.ts";
import { createPlatform, sampleItem } from "../src/testing/platform.ts";

const count = 10_000;
const batchSize = 250;

let first: TestApi;
beforeAll(async () => {
  first = await startApi({ DATABASE_POOL_SIZE: "8" });
});
afterAll(() => first.close());

test("ten thousand events arrive once and in order while two API processes and the reader restart", async () => {
  const { tenant } = await createPlatform(first, { plan: "business" });
  const { organizationId, token } = tenant;
  const variables = { DATABASE_URL: first.databaseUrl, PLATFORM_KEY_HASHES: hashOfKey(first.platformKey) };
  const servers = [await startApi(variables), await startApi(variables)];
  const urlOf = (i: number) => servers[i % servers.length]?.url ?? "";
  let writing = true;

  /** Restarts the servers in turn, as a deployment does. */
  async function restart(): Promise<void> {
    for (let i = 0; writing; i += 1) {
      await sleep(300);
      const [old] = servers.splice(i % 2, 1, await startApi(variables));
      await old?.close();
    }
  }

  /** Writes through whichever server responds. A batch that is sent again changes nothing twice. */
  async function write(): Promise<void> {
    for (let from = 0; from < count; from += batchSize) {
      const items = Array.from({ length: batchSize }, (_, i) => sampleItem("lead", `lead ${from + i}`));
      for (let attempt = 0, isWritten = false; !isWritten; attempt += 1) {
        const client = new ParleyPlatform({
          baseUrl: urlOf(attempt),
          platformKey: first.platformKey,
          maxRetries: 0,
        });
        isWritten = await client
          .organization(organizationId)
          .batch(items)
          .then(
            ({ meta }) => meta.failed === 0,
            () => false,
          );
      }
    }
    writing = false;
  }

  const { events } = new Parley({ baseUrl: first.url, accessToken: token });
  let cursor = (await events.list({ cursor: "latest" })).meta.next_cursor;
  const seen: string[] = [];
  let restarts = 0;

  /** Follows the events; stops after a random number of them, and continues at the stored cursor with another client. */
  async function follow(): Promise<void> {
    while (seen.length < count) {
      const client = new Parley({ baseUrl: urlOf(restarts), accessToken: token, maxRetries: 0 });
      const following = client.events.follow({ since: cursor });
      const stopAfter = seen.length + 1 + Math.floor(Math.random() * 400);
      try {
        for await (const event of following) {
          seen.push(event.id);
          cursor = following.cursor;
          if (seen.length >= Math.min(count, stopAfter)) break;
        }
      } catch {
        await sleep(20); // The server was restarted.
      }
      restarts += 1;
    }
  }

  await Promise.all([write(), follow(), restart()]);
  const rows = await first.db.event.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  expect(rows).toHaveLength(count);
  expect(seen).toEqual(rows.map(({ id }) => id));
  expect(restarts).toBeGreaterThan(20);
  for (const server of servers) await server.close();
}, 300_000); // Half a minute on an idle machine.
