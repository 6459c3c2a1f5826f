import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { as, asPlatform, useApi } from "../src/testing/api-server.ts";
import type { AnyEvent } from "../src/testing/events.ts";
import { createPlatform, recordPath, sampleItem, samples } from "../src/testing/platform.ts";

const api = useApi({ DATABASE_POOL_SIZE: "16" });

const names = Array.from({ length: 10 }, (_, index) => `lead ${index}`);

/** Changes three leads in a batch, or one with its URL. Repeats it while the server is overloaded. */
async function write(call: ReturnType<typeof asPlatform>, round: number): Promise<void> {
  const score = round % 101;
  const name = names[round % names.length] ?? "";
  const three = names.filter((_, index) => (index + round) % 4 === 0);
  const items = three.map((one) => sampleItem("lead", one, { score }));
  for (let status = 503; status === 503; ) {
    const response = await (round % 3 > 0
      ? call("PUT", recordPath("lead", name), { ...samples.lead, score })
      : call("POST", "/batch", { items }));
    status = response.status;
    expect([200, 503]).toContain(status);
  }
}

test("a follower of the feed has the state of the database after concurrent changes", async () => {
  const platform = await createPlatform(api);
  const call = as(api, platform.tenant);
  await platform.batch(names.map((name) => sampleItem("lead", name)));
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    await delay(writer);
    for (let round = 0; round < 12; round += 1)
      await write(asPlatform(api, platform.tenant.organizationId), writer * 7 + round);
  });
  await Promise.all(writers);

  const followed = new Map<string, unknown>();
  for (let path: string | null = "/api/v1/events?limit=100"; path; ) {
    const { data, meta } = (await (await call("GET", path)).json()) as {
      data: AnyEvent[];
      meta: { next_cursor: string | null; has_more: boolean };
    };
    for (const event of data) followed.set(event.data.id, event.data);
    path = meta.has_more ? `/api/v1/events?limit=100&cursor=${meta.next_cursor}` : null;
  }
  const { data } = (await (await call("GET", "/api/v1/leads?limit=100")).json()) as {
    data: { id: string }[];
  };
  expect(followed.size).toBe(10);
  expect([...followed.values()]).toEqual(expect.arrayContaining(data));
});
