import { describe, expect, test } from "vitest";
import { systemClock } from "../src/http/clock.ts";
import { ConnectionError, Parley, TimeoutError } from "../src/index.ts";
import { startClient } from "./support/client.ts";
import { lead, one, refusal } from "./support/replies.ts";

const create = { chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001", contact: {} };

describe("time-outs", () => {
  test.each(["hang", "hang in body"] as const)("of an answer that does not come: %s", async (fault) => {
    const { parley } = await startClient(() => ({ fault }), { timeoutMs: 5, maxRetries: 0 });
    const error = await parley.leads.get("a").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      name: "TimeoutError",
      code: "timeout",
      description: "No answer within 5 ms",
    });
  });

  test("are for each attempt; GET and POST are tried again, PATCH is not", async () => {
    const { parley, clock } = await startClient(() => ({ fault: "hang" }), { timeoutMs: 5 });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.slept).toHaveLength(2);
    await expect(parley.leads.create(create)).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.slept).toHaveLength(4);
    await expect(parley.leads.update("a", { score: 1 })).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.slept).toHaveLength(4);
  });

  test("of a call", async () => {
    const { parley } = await startClient(() => ({ fault: "hang" }), { maxRetries: 0 });
    await expect(parley.me({ timeoutMs: 5 })).rejects.toBeInstanceOf(TimeoutError);
  });

  test.each([0, Number.POSITIVE_INFINITY, 2 ** 40])("%d ms: none", async (timeoutMs) => {
    const { parley } = await startClient(() => one(lead("a")), { timeoutMs });
    expect((await parley.leads.get("a")).data.id).toBe("a");
  });

  test("hold although fetch ignores its signal", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const parley = new Parley({ baseUrl: "http://a", accessToken: "a", fetch, timeoutMs: 5, maxRetries: 0 });
    await expect(parley.me()).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe("the caller's signal", () => {
  test("that is aborted already: nothing is sent", async () => {
    const { parley, received } = await startClient(() => one({}));
    await expect(parley.me({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toHaveLength(0);
  });

  test("ends a call that waits for its answer, with the signal's own reason", async () => {
    const controller = new AbortController();
    const reason = new Error("The user left");
    const { parley } = await startClient(() => {
      setImmediate(() => controller.abort(reason));
      return { fault: "hang" };
    });
    await expect(parley.leads.list({}, { signal: controller.signal })).rejects.toBe(reason);
  });

  test("ends a call that waits for its next attempt, at once", async () => {
    const controller = new AbortController();
    const { baseUrl } = await startClient(() => {
      setTimeout(() => controller.abort(), 5);
      return refusal(429, "rate_limit_exceeded", { "retry-after": "60" });
    });
    // With the clock of the machine: the test would take a minute.
    const parley = new Parley({ baseUrl, accessToken: "a" });
    await expect(parley.me({ signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("the clock of the machine waits, and a retry after it succeeds", async () => {
  let count = 0;
  const { baseUrl } = await startClient(() =>
    count++ === 0 ? refusal(503, "server_error") : one({ id: "a" }),
  );
  const parley = new Parley({ baseUrl, accessToken: "a", clock: { ...systemClock, random: () => 0.004 } });
  expect((await parley.me()).data.id).toBe("a");
});
