import { expect, test } from "vitest";
import { checkName } from "./names.ts";

test.each([
  "Umbrella & Sons",
  "Ünïcödé",
  "e\u0301tude", // a combining mark
  "می\u200Cخواهم", // Persian is written with a non-joiner
  "👩\u200D💻 Café ☕\uFE0F",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland",
  "7",
  "日本",
])("accepts %j", (name) => expect(checkName(name)).toBeUndefined());

test.each([
  ["", "is required"],
  [" ", "is required"],
  ["x".repeat(101), "at most 100"],
  ["Zap\u200Bier", "control or invisible characters"],
  ["Zap\u2060ier", "control or invisible characters"],
  ["Zap\u00ADier", "control or invisible characters"],
  ["Zapier\u3164", "control or invisible characters"],
  ["\u2800", "control or invisible characters"],
  ["\u115F", "control or invisible characters"],
  ["\uFEFFx", "control or invisible characters"],
  ["reipaZ\u202E", "control or invisible characters"],
  ["a\nb", "control or invisible characters"],
  ["\uD800", "control or invisible characters"],
  ["\u200D", "a visible character"],
  ["\uFE0F \u200C", "a visible character"],
  ["\u0301", "a visible character"],
  ["\uE000", "a visible character"],
])("rejects %j", (name, message) => {
  expect(checkName(name)).toEqual({ field: "name", message: expect.stringContaining(message) });
});
