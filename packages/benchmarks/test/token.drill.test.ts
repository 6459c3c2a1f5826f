import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("issues no database statement for a cached token, and one for an unknown token", async () => {
  const script = join(import.meta.dirname, "../src/token.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--quick"]);
  expect(stdout).toMatch(/^ *cached token .* 0\.00 \(0\.00–0\.00\)$/m);
  expect(stdout).toMatch(/^ *unknown token .* 1\.00 \(1\.00–1\.00\)$/m);
}, 60_000);
