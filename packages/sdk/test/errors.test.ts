import { expect, test } from "vitest";
import * as sdk from "../src/index.ts";
import { inSequence, startTestClient } from "./support/client.ts";
import { errorResponse } from "./support/responses.ts";
import type { TestResponse } from "./support/server.ts";

async function errorOf(response: TestResponse): Promise<sdk.ParleyError> {
  const { parley } = await startTestClient(() => response, { maxRetries: 0 });
  const error = await parley.leads.get("a").catch((reason: unknown) => reason);
  if (error instanceof sdk.ParleyError) return error;
  throw new Error("Expected a ParleyError", { cause: error });
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
])("throws the error class of %i %s", async (status, code, type) => {
  const error = await errorOf(errorResponse(status, code, { "retry-after": "42" }));
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

test("has no retryAfter without Retry-After, except 60 seconds for rate_limit_exceeded", async () => {
  expect((await errorOf(errorResponse(404, "not_found"))).retryAfter).toBeUndefined();
  expect((await errorOf(errorResponse(429, "rate_limit_exceeded"))).retryAfter).toBe(60);
});

test("throws a ParleyError for an unknown code", async () => {
  const error = await errorOf(errorResponse(409, "idempotency_conflict"));
  expect(error.constructor).toBe(sdk.ParleyError);
  expect(error).toMatchObject({ status: 409, code: "idempotency_conflict" });
});

const html = (status: number): TestResponse => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><title>Bad Gateway</title></html>",
});

test.each([
  ["an HTML page, 502", html(502), sdk.ServerError, "server_error"],
  ["an HTML page, 429", html(429), sdk.RateLimitExceededError, "rate_limit_exceeded"],
  ["an HTML page, 404", html(404), sdk.UnexpectedResponseError, "unexpected_response"],
  ["an HTML page, 200", html(200), sdk.UnexpectedResponseError, "unexpected_response"],
  ["an empty body, 500", { status: 500 }, sdk.ServerError, "server_error"],
  ["an empty body, 200", {}, sdk.UnexpectedResponseError, "unexpected_response"],
  ["no content, 204", { status: 204 }, sdk.UnexpectedResponseError, "unexpected_response"],
  [
    "JSON without an error code, 400",
    { status: 400, body: { no: 1 } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
  [
    "an error code that is not a string, 400",
    { status: 400, body: { error: {} } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
  ["null, 500", { status: 500, body: "null" }, sdk.ServerError, "server_error"],
  [
    "the name of an inherited property as code, 400",
    errorResponse(400, "constructor"),
    sdk.ParleyError,
    "constructor",
  ],
  [
    "a redirect",
    { status: 301, headers: { location: "/elsewhere" } },
    sdk.UnexpectedResponseError,
    "unexpected_response",
  ],
])("throws the right class for %s", async (_, response, type, code) => {
  const error = await errorOf(response);
  expect(error.constructor).toBe(type);
  expect(error).toMatchObject({ status: response.status ?? 200, code, requestId: "request-1" });
});

test("quotes the beginning of an unexpected body", async () => {
  const { description } = await errorOf({ ...html(502), body: "<html>".repeat(1000) });
  expect(description).toMatch(/^Unexpected response with status 502: text\/html: <html>/);
  expect(description.length).toBeLessThan(300);
});

test("throws an UnexpectedResponseError for invalid JSON", async () => {
  const error = await errorOf({ headers: { "content-type": "application/json" }, body: '{"data":' });
  expect(error).toBeInstanceOf(sdk.UnexpectedResponseError);
});

test("throws a ConnectionError with its cause if the connection is refused", async () => {
  const parley = new sdk.Parley({ baseUrl: "http://127.0.0.1:1", accessToken: "a", maxRetries: 0 });
  const error = await parley.me().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(sdk.ConnectionError);
  expect(error).toMatchObject({ name: "ConnectionError", code: "connection_error" });
  expect((error as sdk.ParleyError).status).toBeUndefined();
  expect((error as Error).message).toContain("http://127.0.0.1:1");
  expect((error as Error).cause).toBeInstanceOf(Error);
});

test("throws a ConnectionError if the response is incomplete", async () => {
  const { parley } = await startTestClient(inSequence({ fault: "disconnect" }), { maxRetries: 0 });
  await expect(parley.me()).rejects.toBeInstanceOf(sdk.ConnectionError);
});

test("does not follow redirects, so the token is not sent to another server", async () => {
  const otherServer = await startTestClient(() => ({ body: {} }));
  const location = `${otherServer.baseUrl}/api/v1/leads`;
  const { parley } = await startTestClient(() => ({ status: 307, headers: { location } }));
  await expect(parley.leads.list()).rejects.toBeInstanceOf(sdk.UnexpectedResponseError);
  expect(otherServer.received).toHaveLength(0);
});
