import { expect, test } from "vitest";
import { selfHosted } from "./self-hosted.ts";

const logo = "https://cdn.redoc.ly/redoc/logo-mini.svg";

test("replaces the addresses that a browser would fetch from other servers", () => {
  expect(selfHosted(`src: "${logo}"`)).toBe('src: "data:,"');
});

test("rejects a script with another address of a CDN or font server", () => {
  expect(() => selfHosted(`${logo} https://fonts.googleapis.com/css?family=Inter`)).toThrow(
    "fonts.googleapis",
  );
  expect(() => selfHosted(`${logo} https://cdn.redoc.ly/other.svg`)).toThrow("other.svg");
});

test("rejects a script that no longer contains an address of the list", () => {
  expect(() => selfHosted("const nothing = true;")).toThrow("no longer contains");
});
