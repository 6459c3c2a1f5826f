import { expect, test } from "vitest";
import { textContains } from "./texts.ts";

test.each([
  "ada@example.com",
  "lead-ada@example.com",
  "Ada@Example.com-1",
  "ada@example.com-2026-03-02",
  "ada@example.com_1",
  "ada@example.com:1",
  "ada@example.com-order.v2",
])("recognizes the email in the key %s", (key) => {
  expect(textContains(key, ["ada@example.com"], { isKey: true })).toBe(true);
});

test.each([
  "xada@example.com",
  "x.ada@example.com",
  "ada@example.com.au",
  "ada@example.com-pany.org",
  "ada@example.com-a-b.c.org",
])("does not take the key %s for one of the person", (key) => {
  expect(textContains(key, ["ada@example.com"], { isKey: true })).toBe(false);
});

test("joins an email with the text after it, except in a key", () => {
  expect(textContains("ada@example.com-1", ["ada@example.com"])).toBe(false);
});
