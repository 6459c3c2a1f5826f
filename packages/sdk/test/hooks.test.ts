import { describe, expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { createTestClock } from "./support/clock.ts";
import { dataResponse, errorResponse, leadFixture, tokenResponse } from "./support/responses.ts";
import { startTestServer } from "./support/server.ts";

const ok = dataResponse(leadFixture("a"));
const unavailable = errorResponse(503, "server_error");
const create = { chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001", contact: {} };

/** Returns hooks that record their arguments. */
function recordHooks() {
  const requests: sdk.RequestContext[] = [];
  const responses: sdk.ResponseContext[] = [];
  const retries: sdk.RetryContext[] = [];
  const hooks: sdk.Hooks = {
    onRequest: (context) => void requests.push(context),
    onResponse: (context) => void responses.push(context),
    onRetry: (context) => void retries.push(context),
  };
  return { requests, responses, retries, hooks };
}

describe("onRequest", () => {
  test("receives each attempt before it is sent, with its number", async () => {
    const attempts: string[] = [];
    const { parley, received } = await startTestClient(inSequence(unavailable, unavailable, ok), {
      onRequest: ({ request, attempt }) =>
        void attempts.push(
          `${request.method} ${new URL(request.url).pathname} ${attempt} ${received.length}`,
        ),
    });
    await parley.leads.create(create);
    expect(attempts).toEqual(["POST /api/v1/leads 1 0", "POST /api/v1/leads 2 1", "POST /api/v1/leads 3 2"]);
  });

  test("can set headers, also asynchronously, which are sent with this attempt only", async () => {
    const { parley, received } = await startTestClient(inSequence(unavailable, ok), {
      onRequest: async ({ request, attempt }) => {
        await new Promise((resolve) => setImmediate(resolve));
        request.headers.set(`x-attempt-${attempt}`, "1");
        request.headers.set("traceparent", `00-${attempt}`);
      },
    });
    await parley.leads.create(create);
    expect(received.map(({ headers }) => headers.traceparent)).toEqual(["00-1", "00-2"]);
    expect(received[1]?.headers).not.toHaveProperty("x-attempt-1");
    expect(received.map(({ headers }) => headers["content-type"])).toEqual(Array(2).fill("application/json"));
    const [first, second] = received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toBe(second);
  });

  test("can read the body, which is still sent", async () => {
    const bodies: unknown[] = [];
    const { parley, received } = await startTestClient(inSequence(unavailable, ok), {
      onRequest: async ({ request }) => void bodies.push(await request.json()),
    });
    await parley.leads.create(create);
    expect(bodies).toEqual([create, create]);
    expect(received.map(({ body }) => body)).toEqual([create, create]);
  });

  test("does not receive the token, and cannot replace it", async () => {
    const seen: (string | null)[] = [];
    const { parley, received, baseUrl } = await startTestClient(() => ok, {
      onRequest: ({ request }) => {
        seen.push(request.headers.get("authorization"));
        request.headers.set("authorization", "Bearer of the hook");
      },
    });
    await parley.leads.get("a");
    const headers = { authorization: "Bearer of the caller" };
    await parley.fetch(new Request(`${baseUrl}/api/v1/me`, { headers }));
    expect(seen).toEqual([null, null]);
    expect(received.map((request) => request.headers.authorization)).toEqual([
      "Bearer parley_at_0",
      "Bearer of the caller",
    ]);
  });

  test("is not called for a call that is already aborted", async () => {
    const { requests, hooks } = recordHooks();
    const { parley } = await startTestClient(() => ok, hooks);
    await expect(parley.me({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(requests).toEqual([]);
  });
});

test("deadlineMs includes the time of onRequest", async () => {
  const clock = createTestClock();
  const { baseUrl } = await startTestServer(() => ({ fault: "no response" }));
  const onRequest = () => {
    clock.time += 990;
  };
  const options = { baseUrl, accessToken: "a", clock, onRequest, deadlineMs: 1000 };
  await expect(new sdk.Parley(options).me()).rejects.toMatchObject({
    code: "timeout",
    description: "No response within 10 ms.",
  });
});

describe("onResponse", () => {
  test("receives the response of each attempt with its duration and request ID", async () => {
    const { responses, hooks } = recordHooks();
    const clock = createTestClock();
    const fetch = async () => {
      clock.time += 31;
      const headers = { "x-request-id": `request-${responses.length}` };
      return Response.json({ data: {}, meta: {} }, { status: responses.length === 0 ? 503 : 200, headers });
    };
    await new sdk.Parley({ baseUrl: "http://a", accessToken: "a", clock, fetch, ...hooks }).me();
    expect(responses).toMatchObject([
      { attempt: 1, durationMs: 31, requestId: "request-0", response: { status: 503 } },
      { attempt: 2, durationMs: 31, requestId: "request-1", response: { status: 200 } },
    ]);
    expect(responses.map(({ request }) => request.url)).toEqual(Array(2).fill("http://a/api/v1/me"));
  });

  test("receives no token, and null without a request ID", async () => {
    const { responses, hooks } = recordHooks();
    const fetch = async () => Response.json({ data: {}, meta: {} });
    await new sdk.Parley({ baseUrl: "http://a", accessToken: "a", fetch, ...hooks }).me();
    expect(responses[0]?.request.headers.get("authorization")).toBeNull();
    expect(responses[0]?.requestId).toBeNull();
  });

  test("can read the body without consuming it for the caller", async () => {
    const bodies: unknown[] = [];
    const onResponse = async ({ response }: sdk.ResponseContext) => void bodies.push(await response.json());
    const { parley, baseUrl } = await startTestClient(() => ok, { onResponse });
    const { data, response } = await parley.leads.get("a").withResponse();
    expect(data.id).toBe("a");
    expect(await response.json()).toEqual(ok.body);
    const raw = await parley.fetch(new Request(`${baseUrl}/api/v1/me`));
    expect(await raw.json()).toEqual(ok.body);
    expect(bodies).toEqual([ok.body, ok.body]);
  });

  test("is not called without a complete response", async () => {
    const { requests, responses, hooks } = recordHooks();
    const { parley } = await startTestClient(() => ({ fault: "disconnect" }), hooks);
    await expect(parley.me()).rejects.toBeInstanceOf(sdk.ConnectionError);
    expect([requests.length, responses.length]).toEqual([3, 0]);
  });
});

describe("onRetry", () => {
  test("receives the failed attempt and the delay before the next one", async () => {
    const { retries, hooks } = recordHooks();
    const sequence = inSequence(unavailable, { fault: "disconnect" }, ok);
    const { parley, clock } = await startTestClient(sequence, hooks);
    await parley.leads.get("a");
    expect(retries).toMatchObject([
      { attempt: 1, delayMs: 250, response: { status: 503 }, error: undefined },
      { attempt: 2, delayMs: 500, response: undefined, error: { code: "connection_error" } },
    ]);
    expect(clock.sleeps).toEqual([250, 500]);
    expect(await retries[0]?.response?.json()).toEqual(unavailable.body);
    expect(retries[0]?.request.headers.get("authorization")).toBeNull();
  });

  test("is called before the delay, which waits for it", async () => {
    const order: unknown[] = [];
    const { parley, clock } = await startTestClient(inSequence(unavailable, ok), {
      onRetry: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push([...clock.sleeps]);
      },
    });
    await parley.leads.get("a");
    expect(order).toEqual([[]]);
  });

  test.each([404, 500])("is not called after %i", async (status) => {
    const { retries, hooks } = recordHooks();
    const { parley } = await startTestClient(() => errorResponse(status, "not_found"), hooks);
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status });
    expect(retries).toEqual([]);
  });

  test("is not called after the last attempt", async () => {
    const { retries, hooks } = recordHooks();
    const { parley } = await startTestClient(() => unavailable, { ...hooks, maxRetries: 1 });
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status: 503 });
    expect(retries).toHaveLength(1);
  });
});

const failures = {
  "an Error": new TypeError("The hook failed"),
  // For example of a client that the hook calls.
  "a ConnectionError": new sdk.ConnectionError({ code: "connection_error", description: "The hook failed" }),
};

describe.each(["onRequest", "onResponse", "onRetry"] as const)("an error of %s", (name) => {
  test.each(Object.entries(failures))(
    "rejects the call unchanged, without a retry: %s",
    async (_, failure) => {
      const { parley, received, clock } = await startTestClient(() => unavailable, {
        [name]: () => {
          throw failure;
        },
      });
      await expect(parley.leads.get("a")).rejects.toBe(failure);
      expect(received).toHaveLength(name === "onRequest" ? 0 : 1);
      expect(clock.sleeps).toEqual([]);
    },
  );

  test("rejects the call unchanged if the hook is asynchronous", async () => {
    const failure = failures["an Error"];
    const hook = { [name]: () => Promise.reject(failure) };
    const { parley, received } = await startTestClient(() => unavailable, hook);
    await expect(parley.leads.get("a")).rejects.toBe(failure);
    expect(received.length).toBeLessThanOrEqual(1);
  });
});

test.each(["onRequest", "onResponse", "onRetry"] as const)(
  "an abort ends a call that waits for %s",
  async (name) => {
    const controller = new AbortController();
    const { parley, received } = await startTestClient(() => unavailable, {
      [name]: () => {
        setImmediate(() => controller.abort());
        return new Promise(() => {});
      },
    });
    const call = parley.leads.get("a", { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(received).toHaveLength(name === "onRequest" ? 0 : 1);
  },
);

test("an attempt is not sent after an abort during onRequest, even if fetch ignores its signal", async () => {
  const controller = new AbortController();
  const sent: string[] = [];
  const parley = new sdk.Parley({
    baseUrl: "http://a",
    accessToken: "a",
    onRequest: async () => {
      controller.abort();
    },
    fetch: async ({ url }) => {
      sent.push(url);
      return Response.json({});
    },
  });
  const call = parley.me({ signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([]);
});

test("the hooks receive the requests that refresh tokens, and the attempt with the new token", async () => {
  const { requests, responses, hooks } = recordHooks();
  const { baseUrl } = await startTestServer(({ url, headers }) => {
    if (url === "/api/oauth/token") return tokenResponse(1);
    return headers.authorization === "Bearer parley_at_1" ? ok : errorResponse(401, "invalid_token");
  });
  const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  await new sdk.Parley({ baseUrl, clientId: "client", tokens, ...hooks }).leads.get("a");
  const attempts = requests.map(({ request, attempt }) => `${new URL(request.url).pathname} ${attempt}`);
  expect(attempts).toEqual(["/api/v1/leads/a 1", "/api/oauth/token 1", "/api/v1/leads/a 2"]);
  expect(responses.map(({ response }) => response.status)).toEqual([401, 200, 200]);
});

test("the hooks receive the requests of the OAuth functions and of the Platform API", async () => {
  const { requests, hooks } = recordHooks();
  const { baseUrl, received } = await startTestServer(({ url }) =>
    url.endsWith("/token") ? tokenResponse(1) : ok,
  );
  const client = { baseUrl, clientId: "client", clientSecret: "secret", ...hooks };
  await sdk.exchangeCode({ ...client, code: "c", redirectUri: "https://app.example.com/callback" });
  await sdk.refresh({ ...client, refreshToken: "r" });
  await sdk.revoke({ ...client, token: "t" });
  const platform = new sdk.ParleyPlatform({ baseUrl, platformKey: "parley_pk_0", ...hooks });
  await platform.organization("o").batch([]);
  expect(requests.map(({ request }) => new URL(request.url).pathname)).toEqual(
    received.map(({ url }) => url),
  );
  expect(requests.some(({ request }) => request.headers.has("authorization"))).toBe(false);
  expect(received.at(-1)?.headers.authorization).toBe("Bearer parley_pk_0");
});
