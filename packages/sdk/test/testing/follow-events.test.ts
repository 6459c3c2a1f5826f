import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Parley, type ParleyError } from "../../src/index.ts";
import {
  errorResponse,
  type FakeResponses,
  fakeFetch,
  followEvents,
  webhookEvent,
} from "../../src/testing/index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function client(responses: FakeResponses) {
  const options = { baseUrl: "https://parley.example.com", accessToken: "parley_at_0", maxRetries: 0 };
  return new Parley({ ...options, fetch: fakeFetch(responses) });
}

/** Collects events until one was received, while time passes. */
async function firstEvent(parley: Parley, interruptions: (string | undefined)[] = []): Promise<string> {
  const { signal } = new AbortController();
  const onInterruption = (error: ParleyError | undefined) => interruptions.push(error?.code);
  const events = followEvents(parley, { since: "2026-01-01T00:00:00Z", signal, onInterruption });
  const next = events.next();
  next.catch(() => {});
  await vi.advanceTimersByTimeAsync(200_000);
  const { value } = await next;
  return value?.event.id ?? "";
}

const event = webhookEvent("lead.created");
const page = { data: [event] };
const html = (status: number) => new Response("<html>", { status, headers: { "content-type": "text/html" } });

test.each<[string, Response]>([
  ["500", errorResponse("server_error")],
  ["503 with a long Retry-After", errorResponse("server_error", { retryAfter: 120 })],
  ["HTML with status 500 from a proxy", html(500)],
  ["HTML with status 200 from a proxy", html(200)],
  ["HTML with status 404 from a proxy", html(404)],
  ["429", errorResponse("rate_limit_exceeded")],
])("continues after %s", async (_, failure) => {
  const interruptions: (string | undefined)[] = [];
  expect(await firstEvent(client({ listEvents: [failure, failure, page] }), interruptions)).toBe(event.id);
  expect(interruptions).toEqual([expect.any(String), undefined]);
});

test.each(["invalid_request", "invalid_token", "insufficient_scope"] as const)(
  "throws after %s",
  async (code) => {
    await expect(firstEvent(client({ listEvents: errorResponse(code) }))).rejects.toMatchObject({ code });
  },
);

test("ends without an error when its signal is aborted, also while it waits", async () => {
  const controller = new AbortController();
  const parley = client({ listEvents: errorResponse("server_error") });
  const next = followEvents(parley, { signal: controller.signal }).next();
  await vi.advanceTimersByTimeAsync(500);
  controller.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
