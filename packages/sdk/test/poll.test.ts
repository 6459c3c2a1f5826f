import { expect, test } from "vitest";
import { type Lead, poll } from "../src/index.ts";
import { startTestClient } from "./support/client.ts";
import { errorResponse, leadFixture, pageResponse } from "./support/responses.ts";

const at = (ms: number) => new Date(Date.parse("2026-03-01T09:00:00Z") + ms).toISOString();

/** Starts a server whose leads change: `change` runs before each request and writes leads. */
async function startLeadServer(
  change: (request: number, write: (id: string, ms: number) => void) => void = () => {},
) {
  const leads = new Map<string, Lead>();
  const write = (id: string, ms: number) => {
    const { attributes, ...record } = leadFixture(id);
    leads.set(id, { ...record, attributes: { ...attributes, updated_at: at(ms) } });
  };
  const { parley, received, clock } = await startTestClient(({ url }, count) => {
    change(count, write);
    const query = new URL(url, "http://localhost").searchParams;
    const position = ({ id, attributes }: Lead) => `${attributes.updated_at} ${id}`;
    const since = new Date(query.get("since") ?? "").toISOString();
    const found = [...leads.values()].filter((lead) => position(lead) > (query.get("cursor") ?? since));
    found.sort((a, b) => position(a).localeCompare(position(b)));
    if (query.get("sort") === "-updated_at") found.reverse();
    const data = found.slice(0, 100);
    const last = data.at(-1);
    const next_cursor = last && found.length > 100 ? position(last) : null;
    return {
      body: { data, meta: { api_version: "2024-01-01", has_more: next_cursor !== null, next_cursor } },
    };
  });
  return { parley, received, clock, write };
}

/** Returns the first `count` changes as ID and milliseconds. */
async function take(changes: AsyncIterable<Lead>, count: number): Promise<string[]> {
  const taken: string[] = [];
  for await (const { id, attributes } of changes) {
    taken.push(`${id} ${Date.parse(attributes.updated_at) - Date.parse(at(0))}`);
    if (taken.length === count) break;
  }
  return taken;
}

test("returns all records since a time, in the order of the changes", async () => {
  const { parley, write } = await startLeadServer();
  for (const id of Array.from({ length: 250 }, (_, index) => `${index}`)) write(id, 1000 - Number(id));
  const taken = await take(poll(parley.leads, { since: at(0) }), 250);
  expect(taken).toEqual(Array.from({ length: 250 }, (_, index) => `${249 - index} ${751 + index}`));
});

test("returns only later changes without since, by the clock of the server", async () => {
  const { parley, clock, write, received } = await startLeadServer((request, change) => {
    if (request === 3) change("new", 6);
  });
  write("old", 1);
  write("last", 5);
  write("of the same millisecond", 5);
  const changes = poll(parley.leads, { clock });
  expect(changes.cursor).toBe("");
  expect(await take(changes, 1)).toEqual(["new 6"]);
  expect(clock.sleeps).toEqual([30_000, 30_000]);
  expect(received).toHaveLength(4);
});

test("returns the first record of an empty list", async () => {
  const { parley, clock } = await startLeadServer((request, change) => {
    if (request === 2) change("first", 1);
  });
  expect(await take(poll(parley.leads, { clock, intervalMs: 5 }), 1)).toEqual(["first 1"]);
  expect(clock.sleeps).toEqual([5]);
});

test("returns a change in the same millisecond as the last change, and each of them only once", async () => {
  const { parley, clock } = await startLeadServer((request, change) => {
    if (request === 0) change("a", 5);
    if (request === 1) change("b", 5);
    if (request === 2) change("c", 6);
  });
  expect(await take(poll(parley.leads, { since: at(0), clock }), 3)).toEqual(["a 5", "b 5", "c 6"]);
});

test("continues at the cursor, also within a millisecond", async () => {
  const { parley, write } = await startLeadServer();
  for (const id of ["a", "b", "c"]) write(id, 5);
  write("d", 6);
  const changes = poll(parley.leads, { since: at(0) });
  const first = await take(changes, 2);
  const rest = await take(poll(parley.leads, { since: changes.cursor }), 2);
  expect([...first, ...rest].sort()).toEqual(["a 5", "b 5", "c 5", "d 6"]);
});

test("returns changes made while the pages are read, each state once", async () => {
  const { parley, clock, write } = await startLeadServer((request, change) => {
    if (request === 1) for (const id of ["0", "150", "249"]) change(id, 2000 + Number(id));
    if (request === 2) change("new", 3000);
  });
  for (const id of Array.from({ length: 250 }, (_, index) => `${index}`)) write(id, Number(id));
  const taken = await take(poll(parley.leads, { since: at(0), clock }), 252);
  const unchanged = Array.from({ length: 249 }, (_, index) => `${index} ${index}`);
  unchanged.splice(150, 1);
  expect(taken).toEqual([...unchanged, "0 2000", "150 2150", "249 2249", "new 3000"]);
});

test("throws an error, and continues after the last record in another loop", async () => {
  let broken = false;
  const { parley } = await startTestClient(({ url }) =>
    broken ? errorResponse(503, "server_error") : pageResponse(url, [leadFixture("b"), leadFixture("a")]),
  );
  const changes = poll(parley.leads, { since: at(0), maxRetries: 0, intervalMs: 0 });
  const seen: string[] = [];
  const read = async () => {
    for await (const { id } of changes) {
      seen.push(id);
      broken = seen.length === 2;
    }
  };
  await expect(read()).rejects.toMatchObject({ code: "server_error" });
  await expect(read()).rejects.toMatchObject({ code: "server_error" });
  expect(seen.sort()).toEqual(["a", "b"]);
});

test("aborts with the signal during a request and between polls", async () => {
  const { parley } = await startLeadServer();
  const reason = new Error("enough");
  await expect(take(poll(parley.leads, { signal: AbortSignal.abort(reason) }), 1)).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = take(poll(parley.leads, { since: at(0), signal: controller.signal }), 1);
  setTimeout(() => controller.abort(reason), 50);
  await expect(waiting).rejects.toBe(reason);
});
