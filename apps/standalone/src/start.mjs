// `npm start`: installs packages and builds if necessary, then runs the server. Plain JavaScript without dependencies, because it runs
// on Node.js 20 and before packages are installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const recordFile = join(root, "node_modules/.parley/start.json");
/** @type {{ packageManager: string }} */
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** @type {[string, ...string[]]} */
const pnpm = ["npx", "-y", "--prefer-offline", packageManager];

/** Less than half the memory, for a tenth more CPU: docs/performance.md has the figures. */
const memoryFlags = ["--max-semi-space-size=2", "--heap-growing-percent=60", "--liftoff-only"];
const environment = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
  MALLOC_MMAP_THRESHOLD_: "65536",
  NODE_COMPILE_CACHE: join(root, "node_modules/.parley/compile-cache"),
};

/** Output of the build. */
const outputs = [
  "packages/contract/src/generated",
  "packages/database/src/generated",
  "apps/docs/dist",
  "packages/sdk/parley-sdk.tgz",
  "packages/cli/parley-cli.tgz",
];
/** Files outside the source folders that the build reads. */
const buildSettings = ["redocly.yaml", "tsconfig.base.json", "turbo.json"];
/** Folders that the build does not read. */
const ignored = new Set(["node_modules", "dist", "generated", "test", ".turbo"]);

const before = readRecord();
const packages = ["packages", "apps"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(parent, name, "package.json")),
);
const manifests = fingerprint(
  ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.mjs", ...packages],
  (file) => (existsSync(file) ? readFileSync(file) : ""),
);
if (manifests !== before.manifests) {
  console.log("Installing packages (once, about 600 MB) …");
  // Keeps development packages if they are installed.
  const wanted = existsSync(join(root, "node_modules/vitest")) ? [] : ["--prod"];
  // CI verifies the lockfile against pnpm's supply-chain policies, which needs the registry's data on each package.
  const flags = [
    "--frozen-lockfile",
    "--prefer-offline",
    "--reporter=silent",
    "--config.trust-lockfile=true",
  ];
  runStep([...pnpm, "install", ...flags, ...wanted]);
}
const sources = fingerprint(
  [...buildSettings, ...["openapi", "packages", "apps/docs"].flatMap((folder) => filesIn(folder))],
  (file) => {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  },
);
if (sources !== before.sources || !outputs.every((output) => existsSync(join(root, output)))) {
  console.log("Building the contract, the database client, the reference, the SDK and the command line …");
  runStep([...pnpm, "exec", "turbo", "run", "build", "tarball", "--output-logs=errors-only"]);
}
if (manifests !== before.manifests || sources !== before.sources) {
  mkdirSync(dirname(recordFile), { recursive: true });
  writeFileSync(recordFile, JSON.stringify({ manifests, sources }));
}

const server = spawn(
  join(root, "node_modules/.bin/node"),
  [...memoryFlags, join(root, "apps/standalone/src/main.mjs"), ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...environment, ...process.env } },
);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0);
});

/** @returns {{ manifests?: string, sources?: string }} fingerprints of what the last start installed and built */
function readRecord() {
  try {
    return JSON.parse(readFileSync(recordFile, "utf8"));
  } catch {
    return {};
  }
}

/**
 * Returns the files in a folder of the repository that the build may read, in a fixed order.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return ignored.has(entry.name) ? [] : filesIn(path);
      return entry.isFile() && !entry.name.endsWith(".tgz") ? [path] : [];
    });
}

/**
 * Returns a hash of the given files.
 *
 * @param {string[]} files
 * @param {(path: string) => string | Buffer} describe
 */
function fingerprint(files, describe) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`\n${file}\n`).update(describe(join(root, file)));
  return hash.digest("hex");
}

/**
 * Runs a command. If it fails, prints its output and ends this process with its exit code.
 *
 * @param {[string, ...string[]]} command
 */
function runStep([program, ...args]) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", pnpm_config_verify_deps_before_run: "false" },
  });
  if (status === 0) return;
  console.error(
    `${stdout}${stderr}\n\`${[program, ...args].join(" ")}\` failed${error ? `: ${error.message}` : ""}.`,
  );
  process.exit(status ?? 1);
}
