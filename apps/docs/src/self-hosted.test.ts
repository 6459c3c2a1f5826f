import { expect, test } from "vitest";
import { selfHosted } from "./self-hosted.ts";

const known = [
  "https://cdn.redoc.ly/redoc/logo-mini-full.svg",
  "https://cdn.redoc.ly/redoc/logo-mini.svg",
  "https://cdn.redocly.com/icons/fa/7.0.0",
  "https://cdn.redocly.com/icons/code/5.24.0",
  "https://otel.cloud.redocly.com/v1/traces",
].join(" ");

test("replaces what a browser would fetch from elsewhere", () => {
  expect(selfHosted(known)).not.toContain("https://");
});

test("refuses a script that names another server of that kind", () => {
  expect(() => selfHosted(`${known} https://fonts.googleapis.com/css?family=Inter`)).toThrow(
    "fonts.googleapis",
  );
  expect(() => selfHosted(`${known} https://cdn.redoc.ly/other.svg`)).toThrow("other.svg");
});

test("refuses a script that no longer names one of them", () => {
  expect(() => selfHosted("const nothing = true;")).toThrow("no longer names");
});
