import { describe, expect, test } from "vitest";
import { isCodeChallenge, isCodeVerifier } from "./pkce.ts";
import { allScopes, parseScope } from "./scope.ts";
import { newToken } from "./secrets.ts";
import { csrfToken, isCsrfToken } from "./sessions/csrf.ts";
import { networkOf } from "./sessions/network.ts";

describe("scope", () => {
  test("each once, in the order of the specification", () => {
    expect(parseScope(" webhooks:manage leads:read  webhooks:manage")).toEqual({
      scopes: ["leads:read", "webhooks:manage"],
    });
    expect(parseScope(allScopes.toReversed().join(" "))).toEqual({ scopes: allScopes });
  });

  test.each([" ", "leads:read,tickets:read", "Leads:read", "leads:read\ttickets:read", "toString"])(
    "refuses %j",
    (text) => expect(parseScope(text)).toHaveProperty("problem"),
  );

  test.each(['a"b', "a\\b", "ä", "x".repeat(65)])("does not repeat %s", (scope) => {
    expect(parseScope(scope)).toEqual({ problem: expect.stringMatching(/^The scope is unknown; /) });
  });
});

describe("PKCE", () => {
  test("the example of RFC 7636 appendix B", () => {
    expect(isCodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(true);
    expect(isCodeChallenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")).toBe(true);
  });

  test.each([
    "x".repeat(42),
    "x".repeat(44),
    `${"x".repeat(42)}=`,
    `${"x".repeat(42)}+`,
    `${"x".repeat(43)}\n`,
  ])("%j is no challenge", (text) => expect(isCodeChallenge(text)).toBe(false));

  test.each([43, 128])("a verifier may have %i characters", (length) => {
    expect(isCodeVerifier("~".repeat(length))).toBe(true);
  });

  test.each([
    "x".repeat(42),
    "x".repeat(129),
    `${"x".repeat(43)} `,
    `${"x".repeat(43)}\n`,
    `${"x".repeat(43)}/`,
  ])("%j is no verifier", (text) => expect(isCodeVerifier(text)).toBe(false));
});

test("tokens carry their kind and 256 bits", () => {
  expect(newToken("at")).toMatch(/^parley_at_[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 1000 }, () => newToken("rt"))).size).toBe(1000);
});

test("a CSRF token belongs to one session secret", () => {
  expect(isCsrfToken(csrfToken("a"), "a")).toBe(true);
  expect(isCsrfToken(csrfToken("a"), "b")).toBe(false);
  expect(isCsrfToken("", "a")).toBe(false);
  expect(isCsrfToken("a".repeat(43), "a")).toBe(false);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::5", "2001:db8:0:0::/64"],
  ["2001:db8:1::3:4:5:6", "2001:db8:1:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("networkOf %s is %s", (address, network) => expect(networkOf(address)).toBe(network));
