import { execFile, execFileSync } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newUserEnvironment } from "@parley/testing/new-user";
import { hasRuntimes } from "@parley/testing/runtimes";
import { beforeAll, describe, expect, test } from "vitest";
import { npmStart, processesOn, temporaryFolder, tokenIn } from "./spawned.ts";

// First start: a fresh checkout, the oldest Node.js, an ordinary user with an empty home, `npm start`.
// It downloads every package, 370 MB, which is why it is left to CI.

const possible = hasRuntimes && Boolean(process.env["CI"]);
if (!possible) console.warn("skipped: a fresh installation is tested in CI, on Linux");

const repository = join(import.meta.dirname, "../../..");
const folder = temporaryFolder(); // With 1.5 GB in it; it is removed with all that the run leaves behind.
const [checkout, home] = [join(folder.path, "checkout"), join(folder.path, "home")];
const dataDir = join(checkout, ".parley");

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const user = isRoot ? { uid: nobody, gid: nobody } : {};

/** Root can remove the network of a process; other users can only set a proxy that does not respond. */
const bringUpLoopback = "ip link set lo up";
const canUnshare = isRoot && succeeds("unshare", ["--net", "sh", "-c", bringUpLoopback]);

function succeeds(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let environment: Record<string, string>;

/** Returns the options for `npm start` without a network. */
function offline() {
  if (!canUnshare) {
    const closed = "http://127.0.0.1:9/";
    return { env: { ...environment, npm_config_https_proxy: closed, npm_config_proxy: closed }, ...user };
  }
  const command = [
    ...["unshare", "--net", "sh", "-c", `${bringUpLoopback} && exec "$@"`, "sh"],
    ...["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "npm", "start"],
  ];
  return { env: environment, command };
}

describe.skipIf(!possible)("npm start in a new checkout", () => {
  beforeAll(async () => {
    const made = /\/(node_modules|dist|\.git|\.turbo|\.parley|packages\/database\/src\/generated)$/;
    cpSync(repository, checkout, { recursive: true, filter: (path) => !made.test(path) });
    environment = await newUserEnvironment(folder.path);
    chmodSync(folder.path, 0o755);
    if (isRoot) execFileSync("chown", ["-R", `${nobody}:${nobody}`, checkout, home]);
  });

  test("installs and starts everything, and the command line uses the demo", async () => {
    const parley = await npmStart(dataDir, { cwd: checkout, env: environment, ...user });
    const trigger = ["run", "--silent", "parley", "--", "trigger", "lead.created", "--live"];
    const { stdout } = await promisify(execFile)("npm", trigger, {
      cwd: checkout,
      env: environment,
      ...user,
    });
    expect(stdout).toContain("The server publishes lead.created");
    await parley.end("SIGINT", "everything");
    await expect.poll(() => processesOn(folder.path), { timeout: 20_000 }).toEqual([]);
  }, 900_000);

  test("starts a second time without a network", async () => {
    const parley = await npmStart(dataDir, { cwd: checkout, ...offline() });
    expect(tokenIn(parley.text())).not.toBe("");
    await parley.end("SIGINT", "everything");
    await expect.poll(() => processesOn(folder.path), { timeout: 20_000 }).toEqual([]);
  }, 300_000);
});
