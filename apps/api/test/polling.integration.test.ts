import type { Schemas } from "@parley/contract";
import { beforeAll, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";
import { beginChange, commitLate } from "../src/testing/slow-changes.ts";

// A client that polls with `since` = the latest updated_at that it saw must see every change, also one whose transaction took
// its time early and committed late.

const api = useApi({ DATABASE_POOL_SIZE: "16" });
let tenant: Tenant;
beforeAll(async () => {
  tenant = await createTenant(api.db);
});

test("misses no change with eight writers and one polling client", async () => {
  await commitLate(api.db);
  const call = as(api, tenant);
  const written = new Map<string, Set<string>>(); // Lead → every updated_at that a writer received.
  const seen = new Map<string, Set<string>>();
  const note = (where: Map<string, Set<string>>, { id, attributes }: Schemas["Lead"]) =>
    where.set(id, (where.get(id) ?? new Set()).add(attributes.updated_at));

  async function writer(): Promise<void> {
    const body = { chatbot_id: tenant.chatbotId, contact: {} };
    const created = (await (await call("POST", "/api/v1/leads", body)).json()) as { data: Schemas["Lead"] };
    note(written, created.data);
    for (let score = 1; score <= 6; score += 1) {
      const response = await call("PATCH", `/api/v1/leads/${created.data.id}`, { score });
      note(written, ((await response.json()) as { data: Schemas["Lead"] }).data);
    }
  }

  let since = "2026-01-01T00:00:00Z";
  async function poll(): Promise<void> {
    const { data } = (await (await call("GET", `/api/v1/leads?limit=100&since=${since}`)).json()) as {
      data: Schemas["Lead"][];
    };
    for (const lead of data) note(seen, lead);
    since = data[0]?.attributes.updated_at ?? since;
  }

  let writing = true;
  const writers = Promise.all(Array.from({ length: 8 }, writer)).finally(() => (writing = false));
  while (writing) await poll();
  await writers;
  await poll();

  for (const [id, times] of written) {
    // A lead may change twice between two polls: what counts is that its latest state was seen,
    expect([...(seen.get(id) ?? [])].sort().at(-1)).toBe([...times].sort().at(-1));
    // and that no two changes have the same time.
    expect(times.size).toBe(7);
  }
  expect(written.size).toBe(8);
});

test("leaves out records that a running change may precede, and delays no change", async () => {
  const call = as(api, tenant);
  const create = async () => {
    const response = await call("POST", "/api/v1/leads", { chatbot_id: tenant.chatbotId, contact: {} });
    return ((await response.json()) as { data: Schemas["Lead"] }).data;
  };
  const ids = async (since: string) => {
    const response = await call("GET", `/api/v1/leads?since=${since}`);
    return ((await response.json()) as { data: Schemas["Lead"][] }).data.map(({ id }) => id);
  };
  const before = await create();
  const since = before.attributes.updated_at;
  const commit = await beginChange(api.db, tenant.organizationId);
  const after = await create(); // Does not wait for the running change, nor for polls.
  expect(await ids(since)).toEqual([before.id]);
  await commit();
  expect(await ids(since)).toEqual([after.id, before.id]);
});
