import { EventEmitter } from "node:events";
import type { Client } from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { openSession, type SessionEvents } from "../src/worker/session.ts";

/** Fake connection whose responses the test controls. */
class FakeConnection extends EventEmitter {
  ended = false;
  #answer: (() => void) | undefined;
  #silent: Promise<void> | undefined;

  set silent(silent: boolean) {
    this.#answer?.();
    this.#silent = silent ? new Promise((resolve) => (this.#answer = resolve)) : undefined;
  }

  query(): Promise<void> {
    return this.#silent ?? Promise.resolve();
  }

  async end(): Promise<void> {
    this.ended = true;
    this.emit("end");
  }
}

let line: FakeConnection;
const lost = vi.fn<SessionEvents["lost"]>();
const notified = vi.fn<SessionEvents["notified"]>();
const malformed = vi.fn<SessionEvents["malformed"]>();
beforeEach(() => {
  line = new FakeConnection();
  for (const mock of [lost, notified, malformed]) mock.mockReset();
});

function open() {
  return openSession(line as unknown as Client, { notified, malformed, lost });
}

test("reports the session as lost once, at the sixth unanswered check", async () => {
  const session = await open();
  line.silent = true;
  for (let asked = 1; asked <= 5; asked += 1) session.check();
  expect(lost).not.toHaveBeenCalled();
  for (let asked = 6; asked <= 8; asked += 1) session.check();
  expect(lost).toHaveBeenCalledTimes(1);
  expect(line.ended).toBe(true);
});

test("resets the count after a response", async () => {
  const session = await open();
  for (let round = 0; round < 3; round += 1) {
    line.silent = true;
    for (let asked = 1; asked <= 4; asked += 1) session.check();
    line.silent = false; // All that was asked is answered.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(lost).not.toHaveBeenCalled();
});

test("rejects and closes the connection if it is lost while the session opens", async () => {
  vi.spyOn(line, "query").mockRejectedValue(new Error("terminated"));
  await expect(open()).rejects.toThrow("terminated");
  expect(lost).not.toHaveBeenCalled();
  expect(line.ended).toBe(true);
});

test("does not report a closed session as lost", async () => {
  const session = await open();
  await session.close();
  expect(lost).not.toHaveBeenCalled();
});

const id = "01928c5e-7a10-7c44-8d21-0b6de2f0a911";

test("drops a malformed notification, reports it and handles the next", async () => {
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
    `{"kind":"pending","subscriptions":["${id}"],"to":7}`,
    '{"kind":"changed"}',
    '{"kind":"changed","subscription":"none"}',
    '{"kind":"share","worker":"42","freeSlots":-1}',
    '{"kind":"share","worker":"x","freeSlots":8}',
    '{"kind":"of a later version"}',
  ];
  for (const payload of payloads) line.emit("notification", { payload });
  expect(malformed).toHaveBeenCalledTimes(payloads.length);
  expect(notified).not.toHaveBeenCalled();

  line.emit("notification", { payload: `{"kind":"changed","subscription":"${id}"}` });
  expect(notified).toHaveBeenCalledExactlyOnceWith({ kind: "changed", subscription: id });
  expect(lost).not.toHaveBeenCalled();
});
