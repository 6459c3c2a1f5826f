import { execFile, execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { beforeAll, describe, expect, test } from "vitest";
import { npmStart, processesOn, temporaryFolder, tokenIn } from "./spawned.ts";

// First start: a fresh checkout, the oldest Node.js, an ordinary user with an empty home, `npm start`.
// It downloads every package, 370 MB, which is why it is left to CI.

const possible = hasRuntimes && Boolean(process.env["CI"]);
if (!possible) console.warn("skipped: a fresh installation is tested in CI, on Linux");

const repository = join(import.meta.dirname, "../../..");
const folder = temporaryFolder(); // With 1.5 GB in it; it is removed with all that the run leaves behind.
const [checkout, home, bin] = ["checkout", "home", "bin"].map((name) => join(folder.path, name)) as [
  string,
  string,
  string,
];
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

/** Environment without the Node.js and caches of this test run, but with the registry settings of the machine. */
function environment(): NodeJS.ProcessEnv {
  const kept = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_registry)$/i;
  const network = Object.entries(process.env).filter(([name]) => kept.test(name));
  const path = process.env["PATH"]?.split(delimiter).filter((part) => !part.includes("node_modules")) ?? [];
  return { ...Object.fromEntries(network), PATH: [bin, ...path].join(delimiter), HOME: home };
}

const closed = "http://127.0.0.1:9/";
const offline = canUnshare
  ? {
      env: environment(),
      command: [
        ...["unshare", "--net", "sh", "-c", `${bringUpLoopback} && exec "$@"`, "sh"],
        ...["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "npm", "start"],
      ],
    }
  : { env: { ...environment(), npm_config_https_proxy: closed, npm_config_proxy: closed }, ...user };

describe.skipIf(!possible)("npm start in a new checkout", () => {
  beforeAll(async () => {
    const made = /\/(node_modules|dist|\.git|\.turbo|\.parley|packages\/database\/src\/generated)$/;
    cpSync(repository, checkout, { recursive: true, filter: (path) => !made.test(path) });
    for (const path of [home, bin]) mkdirSync(path);
    copyFileSync(await installRuntime("Node 20"), join(bin, "node"));
    chmodSync(folder.path, 0o755);
    if (isRoot) execFileSync("chown", ["-R", `${nobody}:${nobody}`, checkout, home]);
  });

  test("installs and starts everything, and the README's example runs", async () => {
    const parley = await npmStart(dataDir, { cwd: checkout, env: environment(), ...user });
    const env = { ...environment(), TOKEN: tokenIn(parley.output()), PARLEY_URL: parley.url };
    const example = ["apps/standalone/examples/first-webhook.mjs"];
    const { stdout } = await promisify(execFile)("node", example, { cwd: checkout, env, ...user });
    expect(stdout).toContain("lead.created");
    await parley.end("SIGINT", "everything");
    await expect.poll(() => processesOn(folder.path), { timeout: 20_000 }).toEqual([]);
  }, 900_000);

  test("starts a second time without a network", async () => {
    const parley = await npmStart(dataDir, { cwd: checkout, ...offline });
    expect(tokenIn(parley.output())).not.toBe("");
    await parley.end("SIGINT", "everything");
    await expect.poll(() => processesOn(folder.path), { timeout: 20_000 }).toEqual([]);
  }, 300_000);
});
