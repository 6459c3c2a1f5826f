import { expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { inTurn, startClient } from "./support/client.ts";
import { refusal } from "./support/replies.ts";
import type { Reply } from "./support/server.ts";

async function errorOf(reply: Reply): Promise<sdk.ParleyError> {
  const { parley } = await startClient(() => reply, { maxRetries: 0 });
  const error = await parley.leads.get("a").catch((reason: unknown) => reason);
  if (error instanceof sdk.ParleyError) return error;
  throw new Error("No ParleyError", { cause: error });
}

test.each([
  [400, "invalid_request", sdk.InvalidRequestError],
  [401, "unauthorized", sdk.UnauthorizedError],
  [401, "invalid_token", sdk.InvalidTokenError],
  [403, "insufficient_scope", sdk.InsufficientScopeError],
  [403, "plan_required", sdk.PlanRequiredError],
  [404, "not_found", sdk.NotFoundError],
  [429, "rate_limit_exceeded", sdk.RateLimitExceededError],
  [500, "server_error", sdk.ServerError],
  [503, "server_error", sdk.ServerError],
  [413, "invalid_request", sdk.InvalidRequestError],
])("%i %s (specification §7)", async (status, code, type) => {
  const error = await errorOf(refusal(status, code, { "retry-after": "42" }));
  expect(error.constructor).toBe(type);
  expect(error.name).toBe(type.name);
  expect(error).toMatchObject({
    status,
    code,
    description: `Because of ${code}.`,
    requestId: "request-1",
    retryAfter: 42,
    message: `Because of ${code}. (${status}, ${code}, request request-1)`,
  });
});

test("retryAfter: none without the header, but 60 s for the service's own rate limit (specification §7)", async () => {
  expect((await errorOf(refusal(404, "not_found"))).retryAfter).toBeUndefined();
  expect((await errorOf(refusal(429, "rate_limit_exceeded"))).retryAfter).toBe(60);
});

test("a code that this version does not know", async () => {
  const error = await errorOf(refusal(409, "idempotency_conflict"));
  expect(error.constructor).toBe(sdk.ParleyError);
  expect(error).toMatchObject({ status: 409, code: "idempotency_conflict" });
});

const html = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><title>Bad Gateway</title></html>",
});

test.each([
  ["an HTML page, 502", html(502), sdk.ServerError, "server_error"],
  ["an HTML page, 429", html(429), sdk.RateLimitExceededError, "rate_limit_exceeded"],
  ["an HTML page, 404: no missing record", html(404), sdk.UnexpectedResponseError, "unexpected_response"],
  ["an HTML page, 200", html(200), sdk.UnexpectedResponseError, "unexpected_response"],
  ["an empty body, 500", { status: 500 }, sdk.ServerError, "server_error"],
  ["an empty body, 200", {}, sdk.UnexpectedResponseError, "unexpected_response"],
  ["no content, 204", { status: 204 }, sdk.UnexpectedResponseError, "unexpected_response"],
  [
    "JSON that is no error, 400",
    { status: 400, body: { no: 1 } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
  [
    "an error that is no string, 400",
    { status: 400, body: { error: {} } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
  ["null, 500", { status: 500, body: "null" }, sdk.ServerError, "server_error"],
  ["an own property's name, 400", refusal(400, "constructor"), sdk.ParleyError, "constructor"],
  [
    "a redirect",
    { status: 301, headers: { location: "/elsewhere" } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
])("%s", async (_, reply, type, code) => {
  const error = await errorOf(reply);
  expect(error.constructor).toBe(type);
  expect(error).toMatchObject({ status: reply.status ?? 200, code, requestId: "request-1" });
});

test("what came instead is quoted, shortened", async () => {
  const { description } = await errorOf({ ...html(502), body: "<html>".repeat(1000) });
  expect(description).toMatch(/^The service answered 502 with text\/html: <html>/);
  expect(description.length).toBeLessThan(300);
});

test("JSON that claims to be JSON and is none", async () => {
  const error = await errorOf({ headers: { "content-type": "application/json" }, body: '{"data":' });
  expect(error).toBeInstanceOf(sdk.UnexpectedResponseError);
});

test("nobody listens: ConnectionError, with its cause", async () => {
  const parley = new sdk.Parley({ baseUrl: "http://127.0.0.1:1", accessToken: "a", maxRetries: 0 });
  const error = await parley.me().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(sdk.ConnectionError);
  expect(error).toMatchObject({ name: "ConnectionError", code: "connection_error" });
  expect((error as sdk.ParleyError).status).toBeUndefined();
  expect((error as Error).message).toContain("http://127.0.0.1:1");
  expect((error as Error).cause).toBeInstanceOf(Error);
});

test("an answer that breaks off: ConnectionError", async () => {
  const { parley } = await startClient(inTurn({ fault: "cut" }), { maxRetries: 0 });
  await expect(parley.me()).rejects.toBeInstanceOf(sdk.ConnectionError);
});

test("redirects are not followed: the token stays here", async () => {
  const elsewhere = await startClient(() => ({ body: {} }));
  const location = `${elsewhere.baseUrl}/api/v1/leads`;
  const { parley } = await startClient(() => ({ status: 307, headers: { location } }));
  await expect(parley.leads.list()).rejects.toBeInstanceOf(sdk.UnexpectedResponseError);
  expect(elsewhere.received).toHaveLength(0);
});
