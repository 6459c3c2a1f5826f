import { describe, expect, test } from "vitest";
import { checkResponse } from "./conformance.ts";

const error = { error: "rate_limit_exceeded", error_description: "Too many failed attempts." };

/** Checks a 429 of the token endpoint with the given headers; null removes a header. */
function problemsWith(headers: Record<string, string | null>): string[] {
  const all = { "x-request-id": "1", "retry-after": "40", ...headers };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const contentType = "application/json; charset=utf-8";
  return checkResponse({
    method: "POST",
    path: "/api/oauth/token",
    status: 429,
    contentType,
    headers: new Headers([...sent, ["content-type", contentType]]),
    body: JSON.stringify(error),
  });
}

describe("headers", () => {
  test("conform when the contract declares them", () => expect(problemsWith({})).toEqual([]));

  test("can include headers of HTTP, CORS and pages", () =>
    expect(
      problemsWith({
        date: "Thu, 01 Jan 2026 00:00:00 GMT",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        vary: "Origin",
      }),
    ).toEqual([]));

  test.each(["location", "www-authenticate", "x-ratelimit-limit", "x-other"])(
    "must not include %s, which the response does not declare",
    (name) => expect(problemsWith({ [name]: "x" })).toEqual([`header ${name} is not declared`]),
  );

  test("must include a header that is always sent", () =>
    expect(problemsWith({ "retry-after": null })).toEqual(["header Retry-After is missing"]));
});
