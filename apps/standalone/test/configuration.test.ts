import { readFileSync } from "node:fs";
import { readConfig } from "@parley/database";
import { expect, test } from "vitest";
import { standaloneConfig, standaloneVariables } from "../src/config.ts";
import { configurationReference, referenceFile } from "../src/configuration-reference.ts";

test("docs/configuration.md is up to date", () => {
  expect(readFileSync(referenceFile, "utf8")).toBe(configurationReference());
});

test("the bounds of numbers are told", () => {
  expect(configurationReference()).toMatch(/`DELIVERY_TIMEOUT_MS` .* From 100 to 60000\. \|/);
});

test("every variable is described", () => {
  for (const [name, schema] of Object.entries(standaloneVariables))
    expect([name, schema.description]).not.toContain(undefined);
});

test("an empty environment is enough for npm start", () => {
  expect(readConfig(standaloneConfig, {})).toMatchObject({
    PORT: 8080,
    HOST: "127.0.0.1",
    DATA_DIR: ".parley",
  });
});

test("what is wrong is named, all at once", () => {
  expect(() => readConfig(standaloneConfig, { PORT: "eighty", LOG_LEVEL: "loud", HOST: "" })).toThrow(
    /PORT: .*\n {2}LOG_LEVEL: |LOG_LEVEL: .*\n {2}PORT: /,
  );
  expect(() => readConfig(standaloneConfig, { PARLEY_ENCRYPTION_KEY: "short" })).toThrow(
    "must be 32 bytes in base64",
  );
});
