import { describe, expect, test } from "vitest";
import { systemClock } from "../src/http/clock.ts";
import { ConnectionError, Parley, TimeoutError } from "../src/index.ts";
import { startTestClient } from "./support/client.ts";
import { dataResponse, errorResponse, leadFixture } from "./support/responses.ts";

const create = { chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001", contact: {} };

describe("timeoutMs", () => {
  test.each(["no response", "incomplete body"] as const)("throws a TimeoutError: %s", async (fault) => {
    const { parley } = await startTestClient(() => ({ fault }), { timeoutMs: 5, maxRetries: 0 });
    const error = await parley.leads.get("a").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      name: "TimeoutError",
      code: "timeout",
      description: "No response within 5 ms.",
    });
  });

  test("applies to each attempt; retries GET and POST, but not PATCH", async () => {
    const { parley, clock } = await startTestClient(() => ({ fault: "no response" }), { timeoutMs: 5 });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.sleeps).toHaveLength(2);
    await expect(parley.leads.create(create)).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.sleeps).toHaveLength(4);
    await expect(parley.leads.update("a", { score: 1 })).rejects.toBeInstanceOf(TimeoutError);
    expect(clock.sleeps).toHaveLength(4);
  });

  test("can be set for a call", async () => {
    const { parley } = await startTestClient(() => ({ fault: "no response" }), { maxRetries: 0 });
    await expect(parley.me({ timeoutMs: 5 })).rejects.toBeInstanceOf(TimeoutError);
  });

  test.each([0, Number.POSITIVE_INFINITY, 2 ** 40])("%d ms means no timeout", async (timeoutMs) => {
    const { parley } = await startTestClient(() => dataResponse(leadFixture("a")), { timeoutMs });
    expect((await parley.leads.get("a")).data.id).toBe("a");
  });

  test("applies even if fetch ignores its signal", async () => {
    const fetch = () => new Promise<Response>(() => {});
    const parley = new Parley({ baseUrl: "http://a", accessToken: "a", fetch, timeoutMs: 5, maxRetries: 0 });
    await expect(parley.me()).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe("signal", () => {
  test("sends nothing if it is already aborted", async () => {
    const { parley, received } = await startTestClient(() => dataResponse({}));
    await expect(parley.me({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toHaveLength(0);
  });

  test("aborts a call that waits for its response, with the reason of the signal", async () => {
    const controller = new AbortController();
    const reason = new Error("The user left");
    const { parley } = await startTestClient(() => {
      setImmediate(() => controller.abort(reason));
      return { fault: "no response" };
    });
    await expect(parley.leads.list({}, { signal: controller.signal })).rejects.toBe(reason);
  });

  test("aborts a call that waits for its next attempt, immediately", async () => {
    const controller = new AbortController();
    const { baseUrl } = await startTestClient(() => {
      setTimeout(() => controller.abort(), 5);
      return errorResponse(429, "rate_limit_exceeded", { "retry-after": "60" });
    });
    // With the system clock: without the abort, the test would take a minute.
    const parley = new Parley({ baseUrl, accessToken: "a" });
    await expect(parley.me({ signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});

test("waits with the system clock before a retry", async () => {
  let count = 0;
  const { baseUrl } = await startTestClient(() =>
    count++ === 0 ? errorResponse(503, "server_error") : dataResponse({ id: "a" }),
  );
  const parley = new Parley({ baseUrl, accessToken: "a", clock: { ...systemClock, random: () => 0.004 } });
  expect((await parley.me()).data.id).toBe("a");
});

describe("deadlineMs", () => {
  const refused = errorResponse(429, "rate_limit_exceeded", { "retry-after": "57" });

  test("throws the error at once if a retry would start later", async () => {
    const { parley, received, clock } = await startTestClient(() => refused);
    await expect(parley.leads.get("a", { deadlineMs: 2_000 })).rejects.toMatchObject({ status: 429 });
    expect([received.length, clock.sleeps]).toEqual([1, []]);
  });

  test("of the client is the default, and that of a call overrides it", async () => {
    const { parley, clock } = await startTestClient(() => refused, { deadlineMs: 2_000, maxRetries: 1 });
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status: 429 });
    expect(clock.sleeps).toEqual([]);
    await expect(parley.leads.get("a", { deadlineMs: 60_000 })).rejects.toMatchObject({ status: 429 });
    expect(clock.sleeps).toHaveLength(1);
  });

  test("ends an attempt that takes longer", async () => {
    const { parley } = await startTestClient(() => ({ fault: "no response" }), { deadlineMs: 200 });
    const from = performance.now();
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(TimeoutError);
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  test.each([-1, Number.NaN])("must not be %d", async (deadlineMs) => {
    await expect(startTestClient(() => refused, { deadlineMs })).rejects.toThrow(TypeError);
  });
});
