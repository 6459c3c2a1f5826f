import { expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { createTestClock } from "./support/clock.ts";
import { dataResponse, errorResponse, leadFixture, tokenResponse } from "./support/responses.ts";
import { startTestServer } from "./support/server.ts";

const ok = dataResponse(leadFixture("a"));
const unavailable = errorResponse(503, "server_error");

/** Returns a logger that records its messages with their levels. */
function recordLog() {
  const lines: string[] = [];
  const log = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const logger: sdk.Logger = {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
  };
  return { lines, logger };
}

test("logs each attempt at debug, and retries at warn", async () => {
  const { lines, logger } = recordLog();
  const sequence = inSequence(unavailable, { fault: "disconnect" }, ok);
  const { parley } = await startTestClient(sequence, { logger, logLevel: "debug" });
  await parley.leads.update("a", { score: 1 }).catch(() => {});
  expect(lines).toEqual(["debug parley: PATCH /api/v1/leads/a: 503, request request-1, in 0 ms"]);
  lines.length = 0;
  await parley.leads.get("a");
  expect(lines).toEqual([
    "debug parley: GET /api/v1/leads/a: connection_error in 0 ms",
    "warn parley: GET /api/v1/leads/a: connection_error, retry in 250 ms",
    "debug parley: GET /api/v1/leads/a: 200, request request-1, in 0 ms",
  ]);
});

test("logs the duration of an attempt", async () => {
  const { lines, logger } = recordLog();
  const clock = createTestClock();
  const fetch = async () => {
    clock.time += 31;
    return Response.json({ data: {}, meta: {} }, { headers: { "x-request-id": "r-1" } });
  };
  await new sdk.Parley({
    baseUrl: "http://a",
    accessToken: "a",
    clock,
    fetch,
    logger,
    logLevel: "debug",
  }).me();
  expect(lines).toEqual(["debug parley: GET /api/v1/me: 200, request r-1, in 31 ms"]);
});

const all = [
  "debug parley: GET /api/v1/leads/a: 401, request request-1, in 0 ms",
  "debug parley: POST /api/oauth/token: 503, request request-1, in 0 ms",
  "warn parley: POST /api/oauth/token: 503, retry in 250 ms",
  "debug parley: POST /api/oauth/token: 200, request request-1, in 0 ms",
  "info parley: POST /api/oauth/token: tokens issued for refresh_token",
  "debug parley: GET /api/v1/leads/a: 200, request request-1, in 0 ms",
];

test.each<[sdk.LogLevel | undefined, RegExp]>([
  ["debug", /^(debug|info|warn)/],
  ["info", /^(info|warn)/],
  ["warn", /^warn/],
  [undefined, /^warn/],
  ["error", /^error/],
  ["off", /^$/],
])("with logLevel %s, logs a call that refreshes its tokens as expected", async (logLevel, logged) => {
  const { lines, logger } = recordLog();
  const { baseUrl } = await startTestServer(({ url }, count) => {
    if (url === "/api/oauth/token") return count === 1 ? unavailable : tokenResponse(1);
    return count === 0 ? errorResponse(401, "invalid_token") : ok;
  });
  const tokens = { accessToken: "parley_at_0", refreshToken: "parley_rt_0" };
  const options = { baseUrl, clientId: "client", tokens, clock: createTestClock() };
  await new sdk.Parley({ ...options, logger, logLevel }).leads.get("a");
  expect(lines).toEqual(all.filter((line) => logged.test(line)));
});

test("an error of the logger rejects the call, without a retry", async () => {
  const failure = new Error("The disk is full");
  const { logger } = recordLog();
  const { parley, received } = await startTestClient(() => ok, {
    logLevel: "debug",
    logger: {
      ...logger,
      debug: () => {
        throw failure;
      },
    },
  });
  await expect(parley.leads.get("a")).rejects.toBe(failure);
  expect(received).toHaveLength(1);
});

test("never logs tokens, secrets, query values or bodies", async () => {
  const { lines, logger } = recordLog();
  const word = "confidential";
  const values = [
    ...[
      "accessToken",
      "refreshToken",
      "newAccessToken",
      "newRefreshToken",
      "clientId",
      "clientSecret",
      "code",
    ],
    ...["codeVerifier", "platformKey", "search", "subject", "email", "userToken", "description", "hook"],
  ];
  const secret = Object.fromEntries(values.map((name) => [name, `${word}-${name}`]));
  const { baseUrl, received } = await startTestServer(({ url, headers }, count) => {
    if (count % 5 === 1) return errorResponse(503, "server_error");
    if (count % 5 === 2) return { fault: "disconnect" };
    if (url === "/api/oauth/token") {
      const { newAccessToken: access_token, newRefreshToken: refresh_token } = secret;
      return { body: { ...(tokenResponse(1).body as object), access_token, refresh_token } };
    }
    if (headers.authorization === `Bearer ${secret["accessToken"]}`)
      return errorResponse(401, "invalid_token");
    if (url.endsWith("/missing"))
      return { status: 404, body: { error: "not_found", error_description: secret["description"] } };
    return dataResponse(url.includes("?") ? [] : { attributes: { email: secret["email"] } });
  });
  const connection: sdk.ConnectionOptions = {
    baseUrl: baseUrl.replace("http://", `http://${word}-user:${word}-password@`),
    clock: createTestClock(),
    logger,
    logLevel: "debug",
    onRequest: ({ request }) => request.headers.set("traceparent", secret["hook"] ?? ""),
  };
  const { clientId = "", clientSecret, code = "", codeVerifier, refreshToken = "" } = secret;
  const client = { ...connection, clientId, clientSecret };
  const { accessToken = "", platformKey, userToken = "" } = secret;

  // Retries of calls, refreshes and OAuth functions, depending on their position in the sequence of responses.
  for (let round = 0; round < 5; round++) {
    const redirectUri = `https://app.example.com/${word}`;
    await sdk.exchangeCode({ ...client, code, codeVerifier, redirectUri }).catch(() => {});
    await sdk.refresh({ ...client, refreshToken }).catch(() => {});
    await sdk.revoke({ ...client, token: userToken }).catch(() => {});
    const parley = new sdk.Parley({ ...client, tokens: { accessToken, refreshToken } });
    await parley.leads.list({ q: secret["search"] ?? "" }).catch(() => {});
    await parley.tickets.create({ subject: secret["subject"] ?? "" }).catch(() => {});
    await parley.tickets.get("missing").catch(() => {});
    const headers = { authorization: `Bearer ${userToken}` };
    const raw = new Request(`${baseUrl}/api/v1/me?token=${userToken}#${userToken}`, { headers });
    await parley.fetch(raw).catch(() => {});
    const platform = new sdk.ParleyPlatform({ ...connection, platformKey });
    await platform
      .organization("o")
      .batch([])
      .catch(() => {});
  }

  const output = lines.join("\n");
  const sent = JSON.stringify(received);
  const returned = ["newAccessToken", "newRefreshToken", "email", "description"];
  for (const name of values.filter((value) => !returned.includes(value)))
    expect(sent).toContain(secret[name]);
  expect(output).not.toContain(word);
  for (const message of [
    /^debug .* 200/m,
    /^debug .* 401/m,
    /^debug .* 404/m,
    /^warn .* 503/m,
    /^info .*tokens/m,
  ])
    expect(output).toMatch(message);
  expect(output).toMatch(/^warn .*connection_error, retry/m);
});
