import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const contract = createRequire(import.meta.url).resolve("@parley/contract/openapi.json");
const packageFolder = join(import.meta.dirname, "../..");

it("passes Spectral's OpenAPI rules and the OWASP rules, with the exceptions in spectral.yaml", async () => {
  const spectral = join(packageFolder, "node_modules/.bin/spectral");
  const ruleset = join(import.meta.dirname, "spectral.yaml");
  const args = [
    "lint",
    contract,
    "--ruleset",
    ruleset,
    "--format",
    "json",
    "--quiet",
    "--fail-severity",
    "hint",
  ];
  const { stdout } = await promisify(execFile)(spectral, args, { maxBuffer: 1e8 }).catch(
    (error: { stdout: string }) => error,
  );
  const found = (JSON.parse(stdout) as { code: string; path: string[] }[]).map(
    ({ code, path }) => `${code} ${path.join("/")}`,
  );
  expect(found).toEqual([]);
});
