import { describe, expect, test } from "vitest";
import {
  ConnectionError,
  type GrantedTokens,
  InvalidGrantError,
  InvalidTokenError,
  Parley,
  type Tokens,
  UnauthorizedError,
} from "../src/index.ts";
import { createTestClock, type TestClock } from "./support/clock.ts";
import { dataResponse, errorResponse, leadFixture, tokenResponse } from "./support/responses.ts";
import {
  type ReceivedRequest,
  startTestServer,
  type TestResponse,
  type TestServer,
} from "./support/server.ts";

const hour = 3_600_000;

/** Test server with a client for it. */
interface TokenServer extends TestServer {
  readonly parley: Parley;
  readonly clock: TestClock;
  /** Pairs that onTokens stored. */
  readonly stored: GrantedTokens[];
  /** Returns the requests to the token endpoint. */
  readonly refreshes: () => ReceivedRequest[];
}

/** Starts a server whose n-th refresh returns the n-th pair, and which accepts only the latest access token. */
async function startTokenServer(options: {
  readonly expiresIn?: number;
  readonly refreshResponse?: (refreshes: number) => TestResponse | undefined;
  readonly onTokens?: (tokens: GrantedTokens) => Promise<void>;
}): Promise<TokenServer> {
  let valid = "parley_at_none";
  let refreshed = 0;
  const stored: GrantedTokens[] = [];
  const clock = createTestClock();
  const server = await startTestServer(({ url, headers }) => {
    if (url === "/api/oauth/token") {
      refreshed++;
      const response = options.refreshResponse?.(refreshed) ?? tokenResponse(refreshed);
      if (!response.status) valid = `parley_at_${refreshed}`;
      return response;
    }
    if (headers.authorization !== `Bearer ${valid}`) return errorResponse(401, "invalid_token");
    return dataResponse(leadFixture("a"));
  });
  const tokens: Tokens = {
    accessToken: "parley_at_0",
    refreshToken: "parley_rt_0",
    expiresAt: options.expiresIn === undefined ? undefined : clock.time + options.expiresIn,
  };
  const onTokens = async (pair: GrantedTokens) => {
    await options.onTokens?.(pair);
    stored.push(pair);
  };
  const { baseUrl } = server;
  return {
    ...server,
    stored,
    clock,
    parley: new Parley({ baseUrl, tokens, clientId: "client", clientSecret: "secret", onTokens, clock }),
    refreshes: () => server.received.filter(({ url }) => url === "/api/oauth/token"),
  };
}

describe("a rejected access token", () => {
  test("is refreshed, and the call is sent again with any method", async () => {
    const { parley, refreshes, stored, clock, received } = await startTokenServer({});
    await parley.leads.update("a", { score: 1 });
    expect(refreshes().map(({ body }) => body)).toEqual([
      {
        grant_type: "refresh_token",
        refresh_token: "parley_rt_0",
        client_id: "client",
        client_secret: "secret",
      },
    ]);
    expect(refreshes()[0]?.headers.authorization).toBeUndefined();
    const expiresAt = clock.time + hour;
    expect(stored).toMatchObject([{ accessToken: "parley_at_1", refreshToken: "parley_rt_1", expiresAt }]);
    expect(received.map(({ body }) => body).at(-1)).toEqual({ score: 1 });
  });

  test("is refreshed once for 100 concurrent calls", async () => {
    const { parley, refreshes, stored } = await startTokenServer({});
    const calls = Array.from({ length: 100 }, (_, index) =>
      index % 2 ? parley.leads.get("a") : parley.leads.create({ chatbot_id: "b", contact: {} }),
    );
    expect(await Promise.all(calls)).toHaveLength(100);
    expect(refreshes()).toHaveLength(1);
    expect(stored).toHaveLength(1);
  });

  test("throws the error if the new token is rejected too", async () => {
    const { parley, refreshes } = await startTokenServer({
      refreshResponse: () => ({ ...tokenResponse(7), status: 200 }),
    });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    expect(refreshes()).toHaveLength(1);
  });

  test("throws the error without a refresh token", async () => {
    const { baseUrl, refreshes } = await startTokenServer({});
    const withoutRefresh = new Parley({ baseUrl, accessToken: "parley_at_0" });
    await expect(withoutRefresh.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    const expired = new Parley({ baseUrl, tokens: { accessToken: "parley_at_0", expiresAt: 0 } });
    await expect(expired.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    expect(refreshes()).toHaveLength(0);
  });

  test("is replaced without a refresh if another call has refreshed it", async () => {
    const { fetch, refreshes } = delayedRejections();
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    const client = { clientId: "client", clientSecret: "secret" };
    const parley = new Parley({ baseUrl: "http://localhost", tokens, ...client, fetch });
    const responses = await Promise.all([parley.me(), parley.me()]);
    expect(responses.map(({ data }) => data.id)).toEqual(["parley_at_1", "parley_at_1"]);
    expect(refreshes()).toBe(1);
  });
});

/** Returns a fetch that rejects the old token, the second time only after the new token was used. */
function delayedRejections() {
  let refreshes = 0;
  let rejections = 0;
  const refreshed = Promise.withResolvers<void>();
  const fetch = async (request: Request) => {
    if (request.url.endsWith("/token")) return Response.json(tokenResponse(++refreshes).body);
    const token = request.headers.get("authorization")?.slice("Bearer ".length);
    if (token !== "parley_at_0") {
      refreshed.resolve();
      return Response.json({ data: { id: token }, meta: {} });
    }
    if (++rejections === 2) await refreshed.promise;
    return Response.json(errorResponse(401, "invalid_token").body, { status: 401 });
  };
  return { fetch, refreshes: () => refreshes };
}

describe("an access token with expiresAt", () => {
  test("is refreshed before it is sent, once for all calls, and again an hour later", async () => {
    const { parley, refreshes, received, clock } = await startTokenServer({ expiresIn: 0 });
    await Promise.all(Array.from({ length: 100 }, () => parley.leads.get("a")));
    expect(refreshes()).toHaveLength(1);
    expect(received).toHaveLength(101);
    clock.time += hour - 31_000;
    await parley.leads.get("a");
    expect(refreshes()).toHaveLength(1);
    clock.time += 1000;
    await parley.leads.get("a");
    expect(refreshes().map(({ body }) => body)).toMatchObject([
      { refresh_token: "parley_rt_0" },
      { refresh_token: "parley_rt_1" },
    ]);
  });

  test("is not refreshed earlier than 30 seconds before it expires", async () => {
    const { parley, received } = await startTokenServer({ expiresIn: 30_001 });
    await parley.leads.get("a");
    expect(received[0]?.url).toBe("/api/v1/leads/a");
  });
});

describe("onTokens", () => {
  test("stores the pair before it is used", async () => {
    const order: string[] = [];
    const { parley, received } = await startTokenServer({
      expiresIn: 0,
      onTokens: async ({ accessToken }) => {
        order.push(`storing ${accessToken} after ${received.length} request`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`stored after ${received.length} request`);
      },
    });
    await Promise.all([parley.leads.get("a"), parley.leads.get("a")]);
    expect(order).toEqual(["storing parley_at_1 after 1 request", "stored after 1 request"]);
    expect(received).toHaveLength(3);
  });

  test("rejects the waiting calls if it fails; the next call stores the same pair without another refresh", async () => {
    let failing = true;
    const { parley, refreshes, stored } = await startTokenServer({
      expiresIn: 0,
      onTokens: () => (failing ? Promise.reject(new Error("The disk is full")) : Promise.resolve()),
    });
    const calls = [parley.leads.get("a"), parley.leads.get("a")];
    for (const call of calls) await expect(call).rejects.toThrow("The disk is full");
    failing = false;
    await parley.leads.get("a");
    expect(refreshes()).toHaveLength(1);
    expect(stored).toHaveLength(1);
  });
});

describe("a failed refresh", () => {
  test("throws invalid_grant in each call, and does not send the refresh token again", async () => {
    const { parley, refreshes } = await startTokenServer({
      refreshResponse: () => errorResponse(400, "invalid_grant"),
    });
    const calls = Array.from({ length: 10 }, () => parley.leads.get("a"));
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(InvalidGrantError);
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidGrantError);
    expect(refreshes()).toHaveLength(1);
  });

  test("is retried with the same refresh token, which the API accepts for 60 seconds", async () => {
    const { parley, refreshes } = await startTokenServer({
      refreshResponse: (refreshes) => (refreshes === 1 ? { fault: "disconnect", status: 200 } : undefined),
    });
    await parley.leads.get("a");
    expect(refreshes().map(({ body }) => body)).toMatchObject([
      { refresh_token: "parley_rt_0" },
      { refresh_token: "parley_rt_0" },
    ]);
  });

  test("is not retried when the API would treat the token as stolen", async () => {
    const { parley, refreshes } = await startTokenServer({
      refreshResponse: () => errorResponse(503, "server_error", { "retry-after": "50" }),
    });
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status: 503, retryAfter: 50 });
    expect(refreshes()).toHaveLength(1);
  });

  test("throws its error after the retries; a later call refreshes again", async () => {
    let down = true;
    const { parley } = await startTokenServer({
      refreshResponse: () => (down ? { fault: "disconnect", status: 200 } : undefined),
    });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ConnectionError);
    down = false;
    expect((await parley.leads.get("a")).data.id).toBe("a");
  });
});

describe("a call during a refresh", () => {
  test("waits for the new token", async () => {
    const held = Promise.withResolvers<void>();
    const storing = Promise.withResolvers<void>();
    const { parley, received } = await startTokenServer({
      onTokens: () => {
        storing.resolve();
        return held.promise;
      },
    });
    const first = parley.leads.get("a");
    await storing.promise;
    const second = parley.leads.get("b");
    held.resolve();
    await Promise.all([first, second]);
    // Only the first call has sent the old token.
    const sent = received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(["Bearer parley_at_0", undefined, "Bearer parley_at_1", "Bearer parley_at_1"]);
  });

  test("can be aborted without aborting the refresh for other calls", async () => {
    const controller = new AbortController();
    const held = Promise.withResolvers<void>();
    const { parley, refreshes } = await startTokenServer({
      expiresIn: 0,
      onTokens: () => {
        controller.abort();
        return held.promise;
      },
    });
    const aborted = parley.leads.get("a", { signal: controller.signal });
    const other = parley.leads.get("a");
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    held.resolve();
    expect((await other).data.id).toBe("a");
    expect(refreshes()).toHaveLength(1);
  });
});

test("does not refresh after a 401 with another code", async () => {
  const { baseUrl, received } = await startTestServer(() => errorResponse(401, "unauthorized"));
  const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  const parley = new Parley({ baseUrl, tokens, clientId: "client", clientSecret: "secret" });
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(UnauthorizedError);
  expect(received).toHaveLength(1);
});

describe("several processes with one grant", () => {
  const client = { clientId: "client" };

  test("use the pair that another process has refreshed, without a refresh", async () => {
    const { baseUrl, received } = await startTestServer(({ headers }) =>
      headers.authorization === "Bearer parley_at_9"
        ? dataResponse(leadFixture("a"))
        : errorResponse(401, "invalid_token"),
    );
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    const loadTokens = async () => ({ accessToken: "parley_at_9", refreshToken: "parley_rt_9" });
    const parley = new Parley({ baseUrl, ...client, tokens, loadTokens });
    await parley.leads.get("a");
    expect(received.filter(({ url }) => url === "/api/oauth/token")).toEqual([]);
  });

  test("refresh the pair if no other process has", async () => {
    const { baseUrl, received } = await startTestServer(({ url, headers }) => {
      if (url === "/api/oauth/token") return tokenResponse(1);
      return headers.authorization === "Bearer parley_at_1"
        ? dataResponse(leadFixture("a"))
        : errorResponse(401, "invalid_token");
    });
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    await new Parley({ baseUrl, ...client, tokens, loadTokens: () => tokens }).leads.get("a");
    expect(received.filter(({ url }) => url === "/api/oauth/token")).toHaveLength(1);
  });
});

test("refreshes a pair of loadTokens after the API rejected an earlier refresh token", async () => {
  const { baseUrl } = await startTestServer(({ url, body, headers }) => {
    if (headers.authorization === "Bearer parley_at_1") return dataResponse(leadFixture("a"));
    if (url !== "/api/oauth/token") return errorResponse(401, "invalid_token");
    const { refresh_token } = body as { refresh_token: string };
    return refresh_token === "parley_rt_9" ? tokenResponse(1) : errorResponse(400, "invalid_grant");
  });
  let stored: Tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  const parley = new Parley({ baseUrl, clientId: "client", tokens: stored, loadTokens: () => stored });
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidGrantError);
  // The user authorized again, and the new access token has expired too.
  stored = { accessToken: "parley_at_9", refreshToken: "parley_rt_9" };
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
  expect((await parley.leads.get("a")).data.id).toBe("a");
});

test.each([
  { weird: "parley_at_1" },
  [],
  { access_token: "parley_at_1", token_type: "Bearer", expires_in: 3600 },
  { access_token: "parley_at_1", refresh_token: "parley_rt_1", token_type: "Bearer", expires_in: 3600 },
])("does not store or quote an invalid token response: %j", async (body) => {
  const { parley, stored } = await startTokenServer({ refreshResponse: () => ({ status: 200, body }) });
  const error = await parley.leads.get("a").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unexpected_response", status: 200 });
  expect((error as Error).message).not.toContain("parley_at_1");
  expect(stored).toEqual([]);
});

test("throws a TypeError for a token with invalid characters", () => {
  for (const accessToken of ["", "parley_at_€", "parley_at_0\n"]) {
    expect(() => new Parley({ baseUrl: "http://localhost", accessToken })).toThrow(TypeError);
  }
});
