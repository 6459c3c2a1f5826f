import { expect, test } from "vitest";
import { newToken } from "./secrets.ts";

test("creates tokens with their kind and 256 bits", () => {
  expect(newToken("at")).toMatch(/^parley_at_[A-Za-z0-9_-]{43}$/);
  expect(new Set(Array.from({ length: 1000 }, () => newToken("rt"))).size).toBe(1000);
});
