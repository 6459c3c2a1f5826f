import { describe, expect, test } from "vitest";
import { checkAnswer } from "./conformance.ts";

const error = { error: "rate_limit_exceeded", error_description: "Too many failed attempts." };

/** The answer of the token endpoint to too many wrong credentials, with other headers. */
function problemsWith(headers: Record<string, string | null>): string[] {
  const all = { "x-request-id": "1", "retry-after": "40", ...headers };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const contentType = "application/json; charset=utf-8";
  return checkAnswer({
    method: "POST",
    path: "/api/oauth/token",
    status: 429,
    contentType,
    headers: new Headers([...sent, ["content-type", contentType]]),
    body: JSON.stringify(error),
  });
}

describe("headers", () => {
  test("conform when they are those of the contract", () => expect(problemsWith({})).toEqual([]));

  test("conform with headers of HTTP, CORS and pages", () =>
    expect(
      problemsWith({
        date: "Thu, 01 Jan 2026 00:00:00 GMT",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
        vary: "Origin",
      }),
    ).toEqual([]));

  test.each(["location", "www-authenticate", "x-ratelimit-limit", "x-other"])(
    "do not conform with %s, which the response does not declare",
    (name) => expect(problemsWith({ [name]: "x" })).toEqual([`header ${name} is not declared`]),
  );

  test("do not conform without one that is always sent", () =>
    expect(problemsWith({ "retry-after": null })).toEqual(["header Retry-After is missing"]));
});
