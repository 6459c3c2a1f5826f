import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { apiVariables } from "@parley/api/config";
import { exampleOf, isSecret, readConfig } from "@parley/config";
import { workerConfig, workerVariables } from "@parley/worker/config";
import { expect, test } from "vitest";
import { z } from "zod";
import { standaloneConfig, standaloneVariables } from "../src/config.ts";
import { configurationReference, referenceFile } from "../src/configuration-reference.ts";

test("docs/configuration.md is up to date", () => {
  expect(readFileSync(referenceFile, "utf8")).toBe(configurationReference());
});

test("descriptions contain the bounds of numbers", () => {
  expect(configurationReference()).toMatch(/`DELIVERY_TIMEOUT_MS` .* From 100 to 60000\. \|/);
});

test("every variable is described", () => {
  for (const [name, schema] of Object.entries(standaloneVariables))
    expect([name, schema.description]).not.toContain(undefined);
});

test("npm start needs no environment variables", () => {
  expect(readConfig(standaloneConfig, {})).toMatchObject({
    PORT: 8080,
    HOST: "127.0.0.1",
    DATA_DIR: ".parley",
  });
});

test("names every missing or invalid variable with its description and an example", () => {
  const read = () => readConfig(workerConfig, { DATABASE_POOL_SIZE: "0", NOTICE_URL: "https://a.example" });
  expect(messageOf(read)).toBe(`The configuration is not valid.

  DATABASE_URL is required but not set.
    URL of a PostgreSQL database, version 18 or later: \`postgresql://user:password@host:port/database\`. To use TLS, add \`?sslmode=verify-full\`.
    Example: DATABASE_URL=postgresql://parley:password@127.0.0.1:5432/parley

  DATABASE_POOL_SIZE must be an integer from 1 to 100 (received "0").
    Maximum number of pooled connections of one process. The process opens a few more for notifications and jobs. From 1 to 100.
    Example: DATABASE_POOL_SIZE=10

  PARLEY_ENCRYPTION_KEY is required but not set.
    Key that encrypts signing secrets, headers of subscriptions, signing keys and stored responses; 32 bytes in base64. If you lose it, they cannot be recovered: you must rotate the secret of every subscription and the signing key of every organization, and set the headers again.
    Create one with: openssl rand -base64 32

  NOTICE_SECRET is required with NOTICE_URL, and it is not set.
    Signs the notices in the same way as deliveries; at least 16 characters. Required with \`NOTICE_URL\`.
    Create one with: openssl rand -hex 32

docs/configuration.md describes every environment variable.`);
});

/** Variables that accept any text. */
const free = ["HOST", "METRICS_HOST", "DATA_DIR", "CONSOLE_NAME"];
const variables = Object.entries({ ...standaloneVariables, ...apiVariables, ...workerVariables });
const checked = variables.filter(([name]) => !free.includes(name));

test.each(checked)(
  "an invalid %s is explained, and its value shown unless it is a secret",
  (name, schema) => {
    for (const value of ["~hunter2~", "ftp://hunter2@x", "-1"]) {
      const message = messageOf(() => readConfig(z.object({ [name]: schema }), { [name]: value }));
      expect(message).toMatch(new RegExp(`^  ${name} must (be|have) .*\\.$`, "m"));
      expect(message).not.toMatch(/invalid (input|option|url)|expected|undefined/i);
      const hides = /KEY|SECRET|URL$/.test(name) && name !== "PUBLIC_URL";
      expect(isSecret(schema)).toBe(hides);
      expect(message.includes("hunter2")).toBe(value === "~hunter2~" && !hides);
    }
  },
);

/** The example of CONSOLE_LOGO is a file, which exists only on the operator's machine. */
const withExample = checked.filter(([name]) => name !== "CONSOLE_LOGO");

test.each(withExample)("the example of %s is valid", (name, schema) => {
  const text = exampleOf(name, schema);
  const [, create] = /^Create one with: (.*)/.exec(text) ?? [];
  if (create === "npx parley-admin platform-key create") return; // The command line has tests for it.
  const value = create
    ? execFileSync("sh", ["-c", create], { encoding: "utf8" }).trim()
    : text.slice(`Example: ${name}=`.length);
  expect([value, schema.safeParse(value).success]).toEqual([value, true]);
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was accepted.");
}
