import { EventEmitter } from "node:events";
import type { Client } from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { openSession, type SessionEvents } from "../src/worker/session.ts";

/** A connection of which the test says whether it is answered. */
class Line extends EventEmitter {
  silent = false;
  ended = false;

  query(): Promise<void> {
    return this.silent ? new Promise(() => {}) : Promise.resolve();
  }

  async end(): Promise<void> {
    this.ended = true;
    this.emit("end");
  }
}

let line: Line;
const lost = vi.fn<SessionEvents["lost"]>();
beforeEach(() => {
  line = new Line();
  lost.mockReset();
});

function open() {
  return openSession(line as unknown as Client, { announced: () => {}, lost });
}

test("a session whose server stays silent counts as lost at the sixth question, once", async () => {
  const session = await open();
  line.silent = true;
  for (let asked = 1; asked <= 5; asked += 1) session.check();
  expect(lost).not.toHaveBeenCalled();
  for (let asked = 6; asked <= 8; asked += 1) session.check();
  expect(lost).toHaveBeenCalledTimes(1);
  expect(line.ended).toBe(true);
});

test("an answer makes it count anew", async () => {
  const session = await open();
  for (let round = 0; round < 3; round += 1) {
    line.silent = true;
    for (let asked = 1; asked <= 4; asked += 1) session.check();
    line.silent = false;
    session.check();
    await Promise.resolve();
  }
  expect(lost).not.toHaveBeenCalled();
});

test("a connection that is lost while the session opens is the opener's failure, and is closed", async () => {
  vi.spyOn(line, "query").mockRejectedValue(new Error("terminated"));
  await expect(open()).rejects.toThrow("terminated");
  expect(lost).not.toHaveBeenCalled();
  expect(line.ended).toBe(true);
});

test("a session that is closed is not lost", async () => {
  const session = await open();
  await session.close();
  expect(lost).not.toHaveBeenCalled();
});
