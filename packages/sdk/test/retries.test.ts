import { describe, expect, test } from "vitest";
import {
  ConnectionError,
  ParleyError,
  RateLimitExceededError,
  rawClient,
  ServerError,
} from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { dataResponse, errorResponse, leadFixture } from "./support/responses.ts";
import type { TestResponse } from "./support/server.ts";

const ok = dataResponse(leadFixture("a"));
const proxyPage = (status: number): TestResponse => ({ status, body: "<html>" });
const unavailable = errorResponse(503, "server_error");

describe("GET and DELETE", () => {
  test.each<[string, TestResponse]>([
    ["429", errorResponse(429, "rate_limit_exceeded", { "retry-after": "0" })],
    ["502 from a proxy", proxyPage(502)],
    ["503", unavailable],
    ["504 from a proxy", proxyPage(504)],
    ["a broken connection", { fault: "disconnect" }],
  ])("are retried after %s", async (_, failure) => {
    const { parley, received, clock } = await startTestClient(inSequence(failure, failure, ok));
    expect((await parley.leads.get("a")).data.id).toBe("a");
    expect(received).toHaveLength(3);
    // Half of 500 and 1,000 ms, because the random number is 0.5.
    expect(clock.sleeps).toEqual([250, 500]);
  });

  test("are retried: DELETE", async () => {
    const { parley, received } = await startTestClient(
      inSequence(proxyPage(502), dataResponse({ id: "a", deleted: true })),
    );
    expect((await parley.webhooks.delete("a")).data.deleted).toBe(true);
    expect(received.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  });

  test.each([400, 401, 403, 404, 500])("are not retried after %i", async (status) => {
    const { parley, received } = await startTestClient(() => errorResponse(status, "server_error"));
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test("throw the last error after two retries", async () => {
    const { parley, received } = await startTestClient(() => unavailable);
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ServerError);
    expect(received).toHaveLength(3);
  });

  test("wait at most 8 seconds without Retry-After", async () => {
    const { parley, clock } = await startTestClient(() => unavailable, { maxRetries: 8 });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ServerError);
    expect(clock.sleeps).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000]);
  });
});

describe("PATCH", () => {
  test("is retried after 429 with the same body", async () => {
    const limited = errorResponse(429, "rate_limit_exceeded", { "retry-after": "1" });
    const { parley, received } = await startTestClient(inSequence(limited, ok));
    await parley.leads.update("a", { score: 1 });
    expect(received.map(({ body }) => body)).toEqual([{ score: 1 }, { score: 1 }]);
  });

  test.each<[string, TestResponse]>([
    ["503 from the API", unavailable],
    ["503 from a proxy", proxyPage(503)],
    ["502", proxyPage(502)],
    ["504", proxyPage(504)],
    ["500", errorResponse(500, "server_error")],
    ["a broken connection", { fault: "disconnect" }],
  ])("is not retried after %s", async (_, failure) => {
    const { parley, received } = await startTestClient(() => failure);
    await expect(parley.leads.update("a", { score: 1 })).rejects.toBeInstanceOf(ParleyError);
    await expect(parley.tickets.update("a", { status: "open" })).rejects.toBeInstanceOf(ParleyError);
    expect(received).toHaveLength(2);
  });

  test("is not retried with an idempotency key, because the API reads the key only on POST", async () => {
    const { parley, received } = await startTestClient(() => unavailable);
    const headers = { "Idempotency-Key": "key-1" };
    const init = { params: { path: { id: "a" } }, body: { score: 1 }, headers };
    const { response } = await rawClient(parley).PATCH("/api/v1/leads/{id}", init);
    expect(response.status).toBe(503);
    expect(received).toHaveLength(1);
  });
});

describe("Retry-After", () => {
  const limited = (value: string) => errorResponse(429, "rate_limit_exceeded", { "retry-after": value });

  test("is waited for in seconds, plus jitter", async () => {
    const { parley, clock } = await startTestClient(inSequence(limited("42"), ok));
    await parley.leads.get("a");
    expect(clock.sleeps).toEqual([42_250]);
  });

  test("is waited for as a date", async () => {
    // The test clock starts at 10:00:00.
    const { parley, clock } = await startTestClient(inSequence(limited("Sun, 01 Mar 2026 10:00:07 GMT"), ok));
    await parley.leads.get("a");
    expect(clock.sleeps).toEqual([7250]);
  });

  test.each(["Sun, 01 Mar 2026 09:00:00 GMT", "0"])(
    "is ignored when it is in the past: %s",
    async (value) => {
      const { parley, clock } = await startTestClient(inSequence(limited(value), ok));
      await parley.leads.get("a");
      expect(clock.sleeps).toEqual([250]);
    },
  );

  test.each(["soon", "", "1.5", "-5"])("means 60 seconds when it is invalid: %j", async (value) => {
    const { parley, clock } = await startTestClient(inSequence(limited(value), ok));
    await parley.leads.get("a");
    expect(clock.sleeps).toEqual([60_250]);
  });

  test("is waited for on 503", async () => {
    const { parley, clock } = await startTestClient(
      inSequence(errorResponse(503, "server_error", { "retry-after": "3" }), ok),
    );
    await parley.leads.get("a");
    expect(clock.sleeps).toEqual([3250]);
  });

  test("is not waited for when it is over 60 seconds: throws the error", async () => {
    const { parley, received, clock } = await startTestClient(() => limited("61"));
    const call = parley.leads.get("a");
    await expect(call).rejects.toBeInstanceOf(RateLimitExceededError);
    await expect(call).rejects.toMatchObject({ retryAfter: 61 });
    expect(received).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });
});

test("maxRetries can be set for the client and for a call", async () => {
  const { parley, received } = await startTestClient(() => unavailable, { maxRetries: 0 });
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ParleyError);
  expect(received).toHaveLength(1);
  await expect(parley.leads.get("a", { maxRetries: 3 })).rejects.toBeInstanceOf(ParleyError);
  expect(received).toHaveLength(5);
});

test("retries a refused connection", async () => {
  const { parley, clock } = await startTestClient(() => ok);
  const call = rawClient(parley).GET("/api/v1/me", { baseUrl: "http://127.0.0.1:1" });
  await expect(call).rejects.toBeInstanceOf(ConnectionError);
  expect(clock.sleeps).toEqual([250, 500]);
});

test("sends the token in each attempt", async () => {
  const { parley, received } = await startTestClient(inSequence(unavailable, ok));
  await parley.leads.get("a");
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer parley_at_0",
    "Bearer parley_at_0",
  ]);
});
