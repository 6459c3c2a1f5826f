import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
let folder: string;
let files: string[];

/** Unpacks the tarball that `npm pack` creates. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "n8n-nodes-parley-"));
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], {
    cwd: root,
  });
  const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(
    JSON.parse(stdout.slice(stdout.search(/^[[{]/m))),
  );
  files = packed?.files.map(({ path }) => path) ?? [];
  await run("tar", ["-xzf", join(folder, packed?.filename ?? ""), "-C", folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => readFileSync(join(folder, "package", path), "utf8");

test("the tarball has the nodes and credentials of the manifest, and the LICENSE", () => {
  expect(files).toEqual(expect.arrayContaining([...manifest.n8n.nodes, ...manifest.n8n.credentials]));
  expect(read("LICENSE")).toBe(readFileSync(join(root, "../../LICENSE"), "utf8"));
});

test("the manifest meets n8n's requirements for community packages", () => {
  const { keywords, license, peerDependencies, ...others } = manifest;
  expect(keywords).toContain("n8n-community-node-package");
  expect(license).toBe("MIT");
  expect(peerDependencies).toEqual({ "n8n-workflow": "*" });
  expect(others).not.toHaveProperty("dependencies");
});

test("the code requires only n8n-workflow, and no global that n8n's cloud forbids", () => {
  const scripts = files.filter((path) => path.endsWith(".js"));
  const code = scripts.map(read).join("\n");
  const required = [...code.matchAll(/\brequire\("([^."][^"]*)"\)/g)].map(([, name]) => name);
  expect(new Set(required)).toEqual(new Set(["n8n-workflow"]));
  expect(code).not.toMatch(
    /\b(process|global|globalThis|__dirname|__filename|set(Timeout|Interval|Immediate))\b/,
  );
});

test("n8n's scanner of community packages finds nothing", async () => {
  // Some of its rules read other files if NODE_ENV is "test".
  const options = { cwd: root, env: { ...process.env, NODE_ENV: "production" } };
  const scan = await run(process.execPath, ["test/scan.mts", join(folder, "package")], options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  expect(scan.stdout + scan.stderr).toBe("");
});

test("a node's catalog entry has the members that n8n reads without checking", () => {
  for (const node of manifest.n8n.nodes) {
    const entry = JSON.parse(read(node.replace(/\.js$/, ".json")));
    const { categories, alias, resources } = entry;
    const { primaryDocumentation, credentialDocumentation } = resources;
    expect(categories).toEqual(["Communication", "Sales"]);
    expect(alias).toEqual(["chatbot", "lead", "ticket"]);
    expect(primaryDocumentation).toEqual([{ url: manifest.homepage }]);
    expect(credentialDocumentation).toEqual([{ url: manifest.homepage }]);
  }
});

test("the credential's documentation is the homepage of the package", () => {
  expect(read(manifest.n8n.credentials[0] ?? "")).toContain(`documentationUrl = "${manifest.homepage}"`);
});

test("icons are at the paths in nodes and credentials, and a node's catalog entry is next to the node", () => {
  const scripts = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
  for (const script of scripts) {
    const icons = [...read(script).matchAll(/"file:([^"]+\.svg)"/g)].map(([, path = ""]) => path);
    expect(icons).toHaveLength(2);
    for (const icon of icons) expect(existsSync(join(folder, "package", dirname(script), icon))).toBe(true);
  }
  for (const node of manifest.n8n.nodes) expect(files).toContain(node.replace(/\.js$/, ".json"));
});
