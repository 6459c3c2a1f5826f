import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { useApi } from "../src/testing/api-server.ts";

const api = useApi();

/** Downloads a package, and returns its files, except files that match the pattern, and its manifest. */
async function download(path: string, others: RegExp) {
  const response = await fetch(`${api.url}${path}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  const tarball = Buffer.from(await response.arrayBuffer());
  const tar = (...args: string[]) => execFileSync("tar", args, { input: tarball, encoding: "utf8" });
  const all = tar("-tz")
    .trim()
    .split("\n")
    .map((file) => file.replace(/^package\//, ""));
  const files = all.filter((file) => !others.test(file)).sort();
  return { all, files, manifest: JSON.parse(tar("-xzO", "package/package.json")), size: tarball.length };
}

test("the server offers the npm package of the SDK", async () => {
  const { all, files, manifest } = await download("/sdk.tgz", /^dist\/.+\.(js|d\.ts)$/);
  expect(files).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
  expect(manifest).toMatchObject({ name: "@parley/sdk", exports: { ".": { default: "./dist/index.js" } } });
  expect(all).toContain("dist/index.js");
});

test("the server offers the npm package of the command line, which is small and has no dependencies", async () => {
  const { files, manifest, size } = await download("/cli.tgz", /^$/);
  expect(files).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "THIRD_PARTY_LICENSES",
    "package.json",
    "parley.js",
  ]);
  expect(manifest).toMatchObject({
    name: "@parley/cli",
    bin: { parley: "parley.js" },
    engines: { node: ">=20" },
  });
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  expect(size).toBeLessThan(50_000);
});
