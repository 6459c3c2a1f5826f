import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type TestApi } from "../src/testing/api-server.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test("the server offers the npm package of the SDK", async () => {
  const response = await fetch(`${api.url}/sdk.tgz`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  const tarball = Buffer.from(await response.arrayBuffer());
  const tar = (...args: string[]) => execFileSync("tar", args, { input: tarball, encoding: "utf8" });
  const files = tar("-tz").trim().split("\n");
  const own = files.filter((file) => !/^package\/dist\/.+\.(js|d\.ts)$/.test(file)).sort();
  expect(own).toEqual(
    ["CHANGELOG.md", "LICENSE", "README.md", "package.json"].map((name) => `package/${name}`),
  );
  const manifest = JSON.parse(tar("-xzO", "package/package.json"));
  expect(manifest).toMatchObject({ name: "@parley/sdk", exports: { ".": { default: "./dist/index.js" } } });
  expect(files).toContain("package/dist/index.js");
});
