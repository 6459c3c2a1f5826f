import { describe, expect, test } from "vitest";
import {
  ConnectionError,
  ParleyError,
  RateLimitExceededError,
  rawClient,
  ServerError,
} from "../src/index.ts";
import { inTurn, startClient } from "./support/client.ts";
import { lead, one, refusal } from "./support/replies.ts";
import type { Reply } from "./support/server.ts";

const fine = one(lead("a"));
const proxyPage = (status: number): Reply => ({ status, body: "<html>" });
const unavailable = refusal(503, "server_error");

describe("GET and DELETE", () => {
  test.each<[string, Reply]>([
    ["429", refusal(429, "rate_limit_exceeded", { "retry-after": "0" })],
    ["502 of a proxy", proxyPage(502)],
    ["503", unavailable],
    ["504 of a proxy", proxyPage(504)],
    ["a broken connection", { fault: "cut" }],
  ])("%s is tried again", async (_, failure) => {
    const { parley, received, clock } = await startClient(inTurn(failure, failure, fine));
    expect((await parley.leads.get("a")).data.id).toBe("a");
    expect(received).toHaveLength(3);
    // Half of 500 and of 1,000 ms, since chance is a half.
    expect(clock.slept).toEqual([250, 500]);
  });

  test("DELETE, too", async () => {
    const { parley, received } = await startClient(inTurn(proxyPage(502), one({ id: "a", deleted: true })));
    expect((await parley.webhooks.delete("a")).data.deleted).toBe(true);
    expect(received.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
  });

  test.each([400, 401, 403, 404, 500])("%i is not", async (status) => {
    const { parley, received } = await startClient(() => refusal(status, "server_error"));
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test("the last failure is thrown, after two retries", async () => {
    const { parley, received } = await startClient(() => unavailable);
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ServerError);
    expect(received).toHaveLength(3);
  });

  test("the wait is capped at 8 s", async () => {
    const { parley, clock } = await startClient(() => unavailable, { maxRetries: 8 });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ServerError);
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000]);
  });
});

describe("PATCH: only what was surely not done", () => {
  test("429 is tried again, with the same body", async () => {
    const limited = refusal(429, "rate_limit_exceeded", { "retry-after": "1" });
    const { parley, received } = await startClient(inTurn(limited, fine));
    await parley.leads.update("a", { score: 1 });
    expect(received.map(({ body }) => body)).toEqual([{ score: 1 }, { score: 1 }]);
  });

  test.each<[string, Reply]>([
    ["503 of the service", unavailable],
    ["503 of a proxy", proxyPage(503)],
    ["502", proxyPage(502)],
    ["504", proxyPage(504)],
    ["500", refusal(500, "server_error")],
    ["a broken connection", { fault: "cut" }],
  ])("%s is not", async (_, failure) => {
    const { parley, received } = await startClient(() => failure);
    await expect(parley.leads.update("a", { score: 1 })).rejects.toBeInstanceOf(ParleyError);
    await expect(parley.tickets.update("a", { status: "open" })).rejects.toBeInstanceOf(ParleyError);
    expect(received).toHaveLength(2);
  });

  test("a key does not make it repeatable: the service heeds keys on POST alone", async () => {
    const { parley, received } = await startClient(() => unavailable);
    const headers = { "Idempotency-Key": "key-1" };
    const init = { params: { path: { id: "a" } }, body: { score: 1 }, headers };
    const { response } = await rawClient(parley).PATCH("/api/v1/leads/{id}", init);
    expect(response.status).toBe(503);
    expect(received).toHaveLength(1);
  });
});

describe("Retry-After", () => {
  const limited = (value: string) => refusal(429, "rate_limit_exceeded", { "retry-after": value });

  test("in seconds, with jitter on top", async () => {
    const { parley, clock } = await startClient(inTurn(limited("42"), fine));
    await parley.leads.get("a");
    expect(clock.slept).toEqual([42_250]);
  });

  test("as a date", async () => {
    // The clock of the test starts at 10:00:00.
    const { parley, clock } = await startClient(inTurn(limited("Sun, 01 Mar 2026 10:00:07 GMT"), fine));
    await parley.leads.get("a");
    expect(clock.slept).toEqual([7250]);
  });

  test.each(["Sun, 01 Mar 2026 09:00:00 GMT", "0"])("over already: %s", async (value) => {
    const { parley, clock } = await startClient(inTurn(limited(value), fine));
    await parley.leads.get("a");
    expect(clock.slept).toEqual([250]);
  });

  test.each(["soon", "", "1.5", "-5"])(
    "that cannot be read (%j): the 60 s of specification §7",
    async (value) => {
      const { parley, clock } = await startClient(inTurn(limited(value), fine));
      await parley.leads.get("a");
      expect(clock.slept).toEqual([60_250]);
    },
  );

  test("on 503", async () => {
    const { parley, clock } = await startClient(
      inTurn(refusal(503, "server_error", { "retry-after": "3" }), fine),
    );
    await parley.leads.get("a");
    expect(clock.slept).toEqual([3250]);
  });

  test("of more than a minute: thrown at once, for the caller to decide", async () => {
    const { parley, received, clock } = await startClient(() => limited("61"));
    const call = parley.leads.get("a");
    await expect(call).rejects.toBeInstanceOf(RateLimitExceededError);
    await expect(call).rejects.toMatchObject({ retryAfter: 61 });
    expect(received).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });
});

test("maxRetries of the client and of a call", async () => {
  const { parley, received } = await startClient(() => unavailable, { maxRetries: 0 });
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ParleyError);
  expect(received).toHaveLength(1);
  await expect(parley.leads.get("a", { maxRetries: 3 })).rejects.toBeInstanceOf(ParleyError);
  expect(received).toHaveLength(5);
});

test("a connection that is refused is tried again, too", async () => {
  const { parley, clock } = await startClient(() => fine);
  const call = rawClient(parley).GET("/api/v1/me", { baseUrl: "http://127.0.0.1:1" });
  await expect(call).rejects.toBeInstanceOf(ConnectionError);
  expect(clock.slept).toEqual([250, 500]);
});

test("every attempt carries the token", async () => {
  const { parley, received } = await startClient(inTurn(unavailable, fine));
  await parley.leads.get("a");
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer parley_at_0",
    "Bearer parley_at_0",
  ]);
});
