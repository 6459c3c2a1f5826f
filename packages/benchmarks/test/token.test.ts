import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a token costs what is measured once it is remembered", async () => {
  const script = join(import.meta.dirname, "../src/token.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--quick"]);
  expect(stdout).toMatch(/a token that is remembered +\d+\.\d/);
}, 60_000);
