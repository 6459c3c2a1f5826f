import { EventEmitter } from "node:events";
import type { Client } from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { openSession, type SessionEvents } from "../src/worker/session.ts";

/** Fake connection whose responses the test controls. */
class FakeConnection extends EventEmitter {
  ended = false;
  #respond: (() => void) | undefined;
  #silent: Promise<void> | undefined;

  set silent(silent: boolean) {
    this.#respond?.();
    this.#silent = silent ? new Promise((resolve) => (this.#respond = resolve)) : undefined;
  }

  query(): Promise<void> {
    return this.#silent ?? Promise.resolve();
  }

  async end(): Promise<void> {
    this.ended = true;
    this.emit("end");
  }
}

let connection: FakeConnection;
const lost = vi.fn<SessionEvents["lost"]>();
const notified = vi.fn<SessionEvents["notified"]>();
const malformed = vi.fn<SessionEvents["malformed"]>();
beforeEach(() => {
  connection = new FakeConnection();
  for (const mock of [lost, notified, malformed]) mock.mockReset();
});

function open() {
  return openSession(connection as unknown as Client, { notified, malformed, lost });
}

test("reports the session as lost once, at the sixth check without a result", async () => {
  const session = await open();
  connection.silent = true;
  for (let check = 1; check <= 5; check += 1) session.check();
  expect(lost).not.toHaveBeenCalled();
  session.check();
  expect(lost).toHaveBeenCalledTimes(1);
  for (let check = 7; check <= 8; check += 1) session.check();
  expect(lost).toHaveBeenCalledTimes(1);
  expect(connection.ended).toBe(true);
});

test("resets the count after a response", async () => {
  const session = await open();
  for (let round = 0; round < 3; round += 1) {
    connection.silent = true;
    for (let check = 1; check <= 4; check += 1) session.check();
    connection.silent = false; // The fake now responds to all checks.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(lost).not.toHaveBeenCalled();
});

test("rejects and closes the connection if it is lost while the session opens", async () => {
  vi.spyOn(connection, "query").mockRejectedValue(new Error("terminated"));
  await expect(open()).rejects.toThrow("terminated");
  expect(lost).not.toHaveBeenCalled();
  expect(connection.ended).toBe(true);
});

test("does not report a closed session as lost", async () => {
  const session = await open();
  await session.close();
  expect(lost).not.toHaveBeenCalled();
});

const id = "01928c5e-7a10-7c44-8d21-0b6de2f0a911";

test("ignores a malformed notification, reports it and handles the next notification", async () => {
  await open();
  const payloads = [
    "not json",
    "null",
    "",
    "[]",
    '"pending"',
    '{"kind":"pending"}',
    '{"kind":"pending","subscriptions":5}',
    '{"kind":"pending","subscriptions":"none"}',
    '{"kind":"pending","subscriptions":["none"]}',
    '{"kind":"pending","subscriptions":["not-a-uuid"]}',
    '{"kind":"changed"}',
    '{"kind":"changed","subscription":null}',
    '{"kind":"changed","subscription":"none"}',
    '{"kind":"of a later version"}',
  ];
  for (const payload of payloads) connection.emit("notification", { payload });
  expect(malformed).toHaveBeenCalledTimes(payloads.length);
  expect(notified).not.toHaveBeenCalled();

  connection.emit("notification", { payload: `{"kind":"changed","subscription":"${id}"}` });
  expect(notified).toHaveBeenCalledExactlyOnceWith({ kind: "changed", subscription: id });
  expect(lost).not.toHaveBeenCalled();
});
