import { describe, expect, test } from "vitest";
import { isCodeChallenge, isCodeVerifier, matchesCodeChallenge } from "./pkce.ts";

describe("PKCE", () => {
  test("accepts the example of RFC 7636 appendix B", () => {
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    expect(isCodeVerifier(verifier)).toBe(true);
    expect(isCodeChallenge(challenge)).toBe(true);
    expect(matchesCodeChallenge(verifier, challenge)).toBe(true);
    expect(matchesCodeChallenge(`${verifier}x`, challenge)).toBe(false);
    expect(matchesCodeChallenge(challenge, challenge)).toBe(false);
    expect(matchesCodeChallenge(verifier, challenge.slice(1))).toBe(false);
  });

  test.each([
    "x".repeat(42),
    "x".repeat(44),
    `${"x".repeat(42)}=`,
    `${"x".repeat(42)}+`,
    `${"x".repeat(43)}\n`,
  ])("rejects the challenge %j", (text) => expect(isCodeChallenge(text)).toBe(false));

  test.each([43, 128])("accepts a verifier of %i characters", (length) => {
    expect(isCodeVerifier("~".repeat(length))).toBe(true);
  });

  test.each([
    "x".repeat(42),
    "x".repeat(129),
    `${"x".repeat(43)} `,
    `${"x".repeat(43)}\n`,
    `${"x".repeat(43)}/`,
  ])("rejects the verifier %j", (text) => expect(isCodeVerifier(text)).toBe(false));
});
