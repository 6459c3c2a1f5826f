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
import { type TestClock, testClock } from "./support/clock.ts";
import { lead, one, refusal, tokenAnswer } from "./support/replies.ts";
import { type Received, type Reply, startServer, type TestServer } from "./support/server.ts";

const hour = 3_600_000;

interface Service extends TestServer {
  readonly parley: Parley;
  readonly clock: TestClock;
  /** The pairs that were stored. */
  readonly stored: GrantedTokens[];
  /** The requests to the token endpoint. */
  readonly refreshes: () => Received[];
}

/** A service whose n-th refresh gives the n-th pair, and which takes the latest access token alone. */
async function startService(options: {
  readonly expiresIn?: number;
  readonly answer?: (refreshes: number) => Reply | undefined;
  readonly onTokens?: (tokens: GrantedTokens) => Promise<void>;
}): Promise<Service> {
  let valid = "parley_at_none";
  let refreshed = 0;
  const stored: GrantedTokens[] = [];
  const clock = testClock();
  const server = await startServer(({ url, headers }) => {
    if (url === "/api/oauth/token") {
      refreshed++;
      const answer = options.answer?.(refreshed) ?? tokenAnswer(refreshed);
      if (!answer.status) valid = `parley_at_${refreshed}`;
      return answer;
    }
    if (headers.authorization !== `Bearer ${valid}`) return refusal(401, "invalid_token");
    return one(lead("a"));
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

describe("a token that the service refuses", () => {
  test("is renewed, and the call is made again, whatever its method", async () => {
    const { parley, refreshes, stored, clock, received } = await startService({});
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
    expect(stored).toEqual([{ accessToken: "parley_at_1", refreshToken: "parley_rt_1", expiresAt }]);
    expect(received.map(({ body }) => body).at(-1)).toEqual({ score: 1 });
  });

  test("by 100 calls at once: is renewed once", async () => {
    const { parley, refreshes, stored } = await startService({});
    const calls = Array.from({ length: 100 }, (_, index) =>
      index % 2 ? parley.leads.get("a") : parley.leads.create({ chatbot_id: "b", contact: {} }),
    );
    expect(await Promise.all(calls)).toHaveLength(100);
    expect(refreshes()).toHaveLength(1);
    expect(stored).toHaveLength(1);
  });

  test("although it was renewed: the error is thrown, there is no loop", async () => {
    const { parley, refreshes } = await startService({ answer: () => ({ ...tokenAnswer(7), status: 200 }) });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    expect(refreshes()).toHaveLength(1);
  });

  test("and there is no refresh token: the error is thrown", async () => {
    const { baseUrl, refreshes } = await startService({});
    const alone = new Parley({ baseUrl, accessToken: "parley_at_0" });
    await expect(alone.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    const pair = new Parley({ baseUrl, tokens: { accessToken: "parley_at_0", expiresAt: 0 } });
    await expect(pair.leads.get("a")).rejects.toBeInstanceOf(InvalidTokenError);
    expect(refreshes()).toHaveLength(0);
  });

  test("only after another call has renewed it: the new one is used", async () => {
    const { fetch, refreshes } = lateAnswers();
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    const client = { clientId: "client", clientSecret: "secret" };
    const parley = new Parley({ baseUrl: "http://late", tokens, ...client, fetch });
    const answers = await Promise.all([parley.me(), parley.me()]);
    expect(answers.map(({ data }) => data.id)).toEqual(["parley_at_1", "parley_at_1"]);
    expect(refreshes()).toBe(1);
  });
});

/** Refuses the old token; the second time only after the new one was used. */
function lateAnswers() {
  let refreshes = 0;
  let refusals = 0;
  const renewed = Promise.withResolvers<void>();
  const fetch = async (request: Request) => {
    if (request.url.endsWith("/token")) return Response.json(tokenAnswer(++refreshes).body);
    const token = request.headers.get("authorization")?.slice("Bearer ".length);
    if (token !== "parley_at_0") {
      renewed.resolve();
      return Response.json({ data: { id: token }, meta: {} });
    }
    if (++refusals === 2) await renewed.promise;
    return Response.json(refusal(401, "invalid_token").body, { status: 401 });
  };
  return { fetch, refreshes: () => refreshes };
}

describe("a token whose expiry is known", () => {
  test("is renewed before it is sent, once for all calls, and again an hour later", async () => {
    const { parley, refreshes, received, clock } = await startService({ expiresIn: 0 });
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

  test("is left alone until half a minute before", async () => {
    const { parley, received } = await startService({ expiresIn: 30_001 });
    await parley.leads.get("a");
    expect(received[0]?.url).toBe("/api/v1/leads/a");
  });
});

describe("onTokens", () => {
  test("has stored the pair before it is used", async () => {
    const order: string[] = [];
    const { parley, received } = await startService({
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

  test("that fails: so do the calls; the next one stores the same pair, without another refresh", async () => {
    let failing = true;
    const { parley, refreshes, stored } = await startService({
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

describe("a refresh that fails", () => {
  test("because the grant ended: every call says so, and the dead token is not sent again", async () => {
    const { parley, refreshes } = await startService({ answer: () => refusal(400, "invalid_grant") });
    const calls = Array.from({ length: 10 }, () => parley.leads.get("a"));
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(InvalidGrantError);
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(InvalidGrantError);
    expect(refreshes()).toHaveLength(1);
  });

  test("in passing: is tried again with the same token, which the service takes within 60 s", async () => {
    const { parley, refreshes } = await startService({
      answer: (refreshes) => (refreshes === 1 ? { fault: "cut", status: 200 } : undefined),
    });
    await parley.leads.get("a");
    expect(refreshes().map(({ body }) => body)).toMatchObject([
      { refresh_token: "parley_rt_0" },
      { refresh_token: "parley_rt_0" },
    ]);
  });

  test("is not tried again when the service would take it for stolen", async () => {
    const { parley, refreshes } = await startService({
      answer: () => refusal(503, "server_error", { "retry-after": "50" }),
    });
    await expect(parley.leads.get("a")).rejects.toMatchObject({ status: 503, retryAfter: 50 });
    expect(refreshes()).toHaveLength(1);
  });

  test("for ever: its error is thrown, and a later call tries anew", async () => {
    let down = true;
    const { parley } = await startService({
      answer: () => (down ? { fault: "cut", status: 200 } : undefined),
    });
    await expect(parley.leads.get("a")).rejects.toBeInstanceOf(ConnectionError);
    down = false;
    expect((await parley.leads.get("a")).data.id).toBe("a");
  });
});

describe("a call that comes, or goes, while the token is renewed", () => {
  test("waits for the new one", async () => {
    const held = Promise.withResolvers<void>();
    const storing = Promise.withResolvers<void>();
    const { parley, received } = await startService({
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
    // The old token was sent once: by the first call, before.
    const sent = received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(["Bearer parley_at_0", undefined, "Bearer parley_at_1", "Bearer parley_at_1"]);
  });

  test("ends at once when it is aborted, and leaves the renewal to the others", async () => {
    const controller = new AbortController();
    const held = Promise.withResolvers<void>();
    const { parley, refreshes } = await startService({
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

test("a 401 for another reason renews nothing", async () => {
  const { baseUrl, received } = await startServer(() => refusal(401, "unauthorized"));
  const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  const parley = new Parley({ baseUrl, tokens, clientId: "client", clientSecret: "secret" });
  await expect(parley.leads.get("a")).rejects.toBeInstanceOf(UnauthorizedError);
  expect(received).toHaveLength(1);
});

describe("several processes with one grant", () => {
  const client = { clientId: "client" };

  test("a pair that another process has renewed is used, and nothing is spent", async () => {
    const { baseUrl, received } = await startServer(({ headers }) =>
      headers.authorization === "Bearer parley_at_9" ? one(lead("a")) : refusal(401, "invalid_token"),
    );
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    const loadTokens = async () => ({ accessToken: "parley_at_9", refreshToken: "parley_rt_9" });
    const parley = new Parley({ baseUrl, ...client, tokens, loadTokens });
    await parley.leads.get("a");
    expect(received.filter(({ url }) => url === "/api/oauth/token")).toEqual([]);
  });

  test("the stored pair is the own one: it is renewed", async () => {
    const { baseUrl, received } = await startServer(({ url, headers }) => {
      if (url === "/api/oauth/token") return tokenAnswer(1);
      return headers.authorization === "Bearer parley_at_1" ? one(lead("a")) : refusal(401, "invalid_token");
    });
    const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
    await new Parley({ baseUrl, ...client, tokens, loadTokens: () => tokens }).leads.get("a");
    expect(received.filter(({ url }) => url === "/api/oauth/token")).toHaveLength(1);
  });
});

test.each([
  { weird: "parley_at_1" },
  [],
  { access_token: "parley_at_1", token_type: "Bearer", expires_in: 3600 },
])("a 200 of the token endpoint that is no pair (%j) is not stored, and not quoted", async (body) => {
  const { parley, stored } = await startService({ answer: () => ({ status: 200, body }) });
  const error = await parley.leads.get("a").catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "unexpected_response", status: 200 });
  expect((error as Error).message).not.toContain("parley_at_1");
  expect(stored).toEqual([]);
});

test("a token that a header cannot hold: a TypeError at once", () => {
  for (const accessToken of ["", "parley_at_€", "parley_at_0\n"]) {
    expect(() => new Parley({ baseUrl: "http://localhost", accessToken })).toThrow(TypeError);
  }
});
