import { describe, expect, test } from "vitest";
import { allScopes, parseScope } from "./scope.ts";

describe("scope", () => {
  test("returns each scope once, in the order of the contract", () => {
    expect(parseScope(" webhooks:manage leads:read  webhooks:manage")).toEqual({
      scopes: ["leads:read", "webhooks:manage"],
    });
    expect(parseScope(allScopes.toReversed().join(" "))).toEqual({ scopes: allScopes });
  });

  test.each([" ", "leads:read,tickets:read", "Leads:read", "leads:read\ttickets:read", "toString"])(
    "rejects %j",
    (text) => expect(parseScope(text)).toHaveProperty("problem"),
  );

  test.each(['a"b', "a\\b", "ä", "x".repeat(65)])("does not repeat %s in the description", (scope) => {
    expect(parseScope(scope)).toEqual({ problem: expect.stringMatching(/^The scope is unknown\. /) });
  });
});
