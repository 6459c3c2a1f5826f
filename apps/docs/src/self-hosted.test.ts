import { expect, test } from "vitest";
import { selfHosted } from "./self-hosted.ts";

const logo = "https://cdn.redoc.ly/redoc/logo-mini.svg";

test("replaces what a browser would fetch from another server", () => {
  expect(selfHosted(`src: "${logo}"`)).toBe('src: "data:,"');
});

test("refuses a script that names another server of that kind", () => {
  expect(() => selfHosted(`${logo} https://fonts.googleapis.com/css?family=Inter`)).toThrow(
    "fonts.googleapis",
  );
  expect(() => selfHosted(`${logo} https://cdn.redoc.ly/other.svg`)).toThrow("other.svg");
});

test("refuses a script that no longer names one of them", () => {
  expect(() => selfHosted("const nothing = true;")).toThrow("no longer names");
});
