import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"));
const { packageManager } = readJson("package.json");
const manifests = globSync("{packages,apps}/*/package.json", { cwd: repository });
const published = manifests.filter((path) => !readJson(path).private);

/** The files of each published package. A file that no pattern matches must not be published. */
const patterns: Record<string, RegExp[]> = {
  "@parley/sdk": [/^dist\/(?!.*\.test\.)[\w/-]+\.(js|d\.ts)$/],
  "@parley/cli": [/^parley\.js$/, /^THIRD_PARTY_LICENSES$/],
  "n8n-nodes-parley": [
    /^dist\/(credentials|nodes)\/[\w/]+(\.credentials|\.node)?\.js$/,
    /^dist\/nodes\/\w+\/\w+\.node\.json$/,
    /^dist\/icons\/[\w.]+\.svg$/,
  ],
};
const inAll = /^(CHANGELOG\.md|LICENSE|README\.md|package\.json)$/;

/** A copy of the workspace, because packing rebuilds `dist` folders, which other tests read. */
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "parley-pack-"));
  const shared = ["package.json", "pnpm-workspace.yaml", "tsconfig.base.json"];
  for (const path of [...shared, ...manifests]) cpSync(join(repository, path), join(copy, path));
  const contract = "packages/contract/src/generated";
  cpSync(join(repository, contract), join(copy, contract), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  for (const folder of published.map(dirname)) {
    const filter = (path: string) => !/\/(dist|node_modules)$|\.tgz$/.test(path);
    cpSync(join(repository, folder), join(copy, folder), { recursive: true, filter });
    symlinkSync(join(repository, folder, "node_modules"), join(copy, folder, "node_modules"));
  }
});

afterAll(() => rmSync(copy, { recursive: true }));

test("publishes only the packages whose files are listed here", () => {
  const names = published.map((path) => readJson(path).name);
  expect(new Set(names)).toEqual(new Set(Object.keys(patterns)));
});

test.each(published)("%s: the tarball has the listed files and no others", async (path) => {
  const tarball = join(copy, `${path.replaceAll("/", "-")}.tgz`);
  const pnpm = ["-y", "--prefer-offline", packageManager, "pack", "--silent", "--out", tarball];
  const env = { ...process.env, pnpm_config_verify_deps_before_run: "false" };
  await run("npx", pnpm, { cwd: join(copy, dirname(path)), env });
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const files = stdout
    .split("\n")
    .filter(Boolean)
    .map((file) => file.replace(/^package\//, ""));

  const { name } = readJson(path);
  const allowed = [inAll, ...(patterns[name] ?? [])];
  expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  expect(files.filter((file) => inAll.test(file))).toHaveLength(4);
  for (const pattern of allowed) expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
});
