import { expect, test } from "vitest";
import { checkName } from "./names.ts";

test.each([
  "Umbrella & Sons",
  "Ünïcödé",
  "e\u0301tude", // a mark that goes with its letter
  "می\u200Cخواهم", // Persian is written with a non-joiner
  "👩\u200D💻 Café ☕\uFE0F",
  "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Scotland",
  "7",
  "日本",
])("takes %j", (name) => expect(checkName(name)).toBeUndefined());

test.each([
  ["", "is needed"],
  [" ", "is needed"],
  ["x".repeat(101), "longer than 100"],
  ["Zap\u200Bier", "cannot be shown"],
  ["Zap\u2060ier", "cannot be shown"],
  ["Zap\u00ADier", "cannot be shown"],
  ["Zapier\u3164", "cannot be shown"],
  ["\u2800", "cannot be shown"],
  ["\u115F", "cannot be shown"],
  ["\uFEFFx", "cannot be shown"],
  ["reipaZ\u202E", "cannot be shown"],
  ["a\nb", "cannot be shown"],
  ["\uD800", "cannot be shown"],
  ["\u200D", "nothing that can be seen"],
  ["\uFE0F \u200C", "nothing that can be seen"],
  ["\u0301", "nothing that can be seen"],
  ["\uE000", "nothing that can be seen"],
])("refuses %j", (name, words) => {
  expect(checkName(name)).toEqual({ field: "name", words: expect.stringContaining(words) });
});
