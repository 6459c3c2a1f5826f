import { expect, test } from "vitest";
import { checkValues } from "./stored-values.ts";

const nested = (levels: number): unknown => JSON.parse(`[${"[".repeat(levels)}${"]".repeat(levels)}]`);

test.each<[name: string, value: unknown, problem: string]>([
  ["a NUL", { a: ["b", { c: "x\0" }] }, "body/a/1/c must not contain a NUL character"],
  ["an unpaired surrogate in a key", { a: { "\ud800": 1 } }, "body/a must not contain a NUL character"],
  ["infinity", { a: [1, Number.POSITIVE_INFINITY] }, "body/a/1 must be a number that fits in 64 bits"],
  ["33 levels", { a: nested(32) }, "/0/0/0 must not be nested more than 32 levels deep"],
  ["__proto__", JSON.parse('{"a":{"__proto__":1}}'), "contains the key __proto__"],
  ["constructor.prototype", { constructor: { prototype: {} } }, "contains the key constructor"],
])("rejects %s", (_name, value, problem) => {
  expect(() => checkValues(value, "body")).toThrow(problem);
});

test("accepts 32 levels, and a key constructor without prototype", () => {
  const value = { a: nested(30), constructor: { name: "Ada" } };
  expect(checkValues(value, "body")).toBeUndefined();
});

test("replaces -0", () => {
  const value = { a: [-0], b: -0 };
  checkValues(value, "body");
  expect([value.a[0], value.b].map((zero) => Object.is(zero, 0))).toEqual([true, true]);
});

test("leaves texts, numbers and levels to a handler that checks each item, but not keys", () => {
  checkValues({ a: "\0", b: Number.POSITIVE_INFINITY, c: nested(10_000) }, "body", { leavesItems: true });
  expect(() => checkValues(JSON.parse('{"__proto__":1}'), "body", { leavesItems: true })).toThrow(
    "__proto__",
  );
});
