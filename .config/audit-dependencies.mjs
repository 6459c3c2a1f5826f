/**
 * Checks the dependencies of the programs for known vulnerabilities: `npm run audit:dependencies`. Exits with 1 if there is one of
 * severity moderate or higher. If the registry cannot audit, it says so and exits with 0, so that a mirror does not break the build, but
 * with 1 with `--required`.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpm = ["-y", "--prefer-offline", packageManager];
const { status, stdout, stderr } = spawnSync(
  "npx",
  [...pnpm, "audit", "--prod", "--audit-level", "moderate"],
  { cwd: root, encoding: "utf8" },
);
const output = stdout + stderr;

if (status === 0) {
  console.log("Dependencies audited: no known vulnerability of severity moderate or higher.");
} else if (
  /ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)|ECONNREFUSED|ENOTFOUND|ETIMEDOUT/.test(output)
) {
  const [, code = "no response"] = /responded with (\d{3})/.exec(output) ?? [];
  console.error(
    `\nWARNING: Dependencies NOT audited: the npm registry has no audit endpoint or is unreachable (${code}). ` +
      "Run `npm run audit:dependencies` with access to https://registry.npmjs.org.\n",
  );
  if (process.argv.includes("--required")) process.exitCode = 1;
} else {
  console.error(output.trim());
  process.exitCode = 1;
}
