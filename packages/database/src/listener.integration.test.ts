import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, createPool } from "./client.ts";
import { type ListenerEvents, startListener } from "./listener.ts";
import { createTestDatabase, startSilentProxy, type TestDatabase } from "./testing/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.release());

const soon = { timeout: 60_000, interval: 20 };

function events() {
  return {
    opened: vi.fn<ListenerEvents["opened"]>(),
    lost: vi.fn<ListenerEvents["lost"]>(),
    notified: vi.fn<ListenerEvents["notified"]>(),
  };
}

async function notify(channel: string, payload: string): Promise<void> {
  const pool = createPool(database.url, { poolSize: 1 });
  await pool.query("SELECT pg_notify($1, $2)", [channel, payload]);
  await pool.end();
}

test("receives notifications, and reconnects automatically", async () => {
  const calls = events();
  const listener = startListener(database.url, "some_channel", calls);
  await vi.waitFor(() => expect(calls.opened).toHaveBeenCalledTimes(1), soon);
  await notify("some_channel", "first");
  await vi.waitFor(() => expect(calls.notified).toHaveBeenCalledWith("first"), soon);

  const killer = await connect(database.url);
  await killer.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await killer.end();
  await vi.waitFor(() => expect(calls.opened).toHaveBeenCalledTimes(2), soon);
  expect(calls.lost).toHaveBeenCalledTimes(1);
  await notify("some_channel", "second");
  await vi.waitFor(() => expect(calls.notified).toHaveBeenCalledWith("second"), soon);
  await listener.stop();
  expect(calls.lost).toHaveBeenCalledTimes(1);
});

test("does not notify listeners when another one starts", async () => {
  const [first, second] = [events(), events()];
  const listeners = [startListener(database.url, "shared_channel", first)];
  await vi.waitFor(() => expect(first.opened).toHaveBeenCalled(), soon);
  listeners.push(startListener(database.url, "shared_channel", second));
  await vi.waitFor(() => expect(second.opened).toHaveBeenCalled(), soon);
  await notify("shared_channel", "last");
  await vi.waitFor(() => expect(first.notified).toHaveBeenCalledWith("last"), soon);
  expect(first.notified).toHaveBeenCalledTimes(1);
  for (const listener of listeners) await listener.stop();
});

test("detects a network that drops all packets", async () => {
  const proxy = await startSilentProxy(database.url);
  const calls = events();
  const listener = startListener(proxy.url, "some_channel", calls);
  await vi.waitFor(() => expect(calls.opened).toHaveBeenCalledTimes(1), soon);
  proxy.dropPackets();
  await vi.waitFor(() => expect(calls.lost).toHaveBeenCalled(), soon);
  await listener.stop();
  proxy.close();
});

test("reports an unreachable server, and can be stopped", async () => {
  const calls = events();
  const listener = startListener("postgresql://nobody@127.0.0.1:1/none", "some_channel", calls);
  await vi.waitFor(() => expect(calls.lost).toHaveBeenCalled(), soon);
  expect(calls.opened).not.toHaveBeenCalled();
  await listener.stop();
});
