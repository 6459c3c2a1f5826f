import { expect, test } from "vitest";
import { csrfToken, isCsrfToken } from "./csrf.ts";

test("accepts a CSRF token only with its session secret", () => {
  expect(isCsrfToken(csrfToken("a"), "a")).toBe(true);
  expect(isCsrfToken(csrfToken("a"), "b")).toBe(false);
  expect(isCsrfToken("", "a")).toBe(false);
  expect(isCsrfToken("a".repeat(43), "a")).toBe(false);
});
