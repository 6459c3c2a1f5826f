import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readJson = (path: string) => JSON.parse(read(path));
const { repository: address, optionalDependencies } = readJson("package.json");

describe("the repository is the one in the root package.json; `npm run set-repository` changes it", () => {
  const manifests = globSync("{packages,apps}/*/package.json", { cwd: root });

  test.each(manifests.filter((path) => !readJson(path).private))("%s", (path) => {
    const { repository, homepage, bugs, publishConfig } = readJson(path);
    const directory = dirname(path);
    expect({ repository, homepage, bugs }).toEqual({
      repository: { type: "git", url: `git+${address}.git`, directory },
      homepage: `${address}/tree/main/${directory}#readme`,
      bugs: `${address}/issues`,
    });
    // npm compares it with the repository that the package is published from.
    expect(publishConfig.provenance).toBe(true);
  });

  const documents = ["*.md", "docs/**/*.md", ".github/**/*.{md,yml}", "openapi/**/*.{md,yaml}"];
  const packages = ["README.md", "CHANGELOG.md", "*/*.credentials.ts"].map(
    (path) => `{packages,apps}/*/${path}`,
  );
  const files = globSync([...documents, ...packages], { cwd: root });

  test("in every link to GitHub", () => {
    const links = files.flatMap((file) =>
      [...read(file).matchAll(/https:\/\/github\.com\/[\w-]+\/[\w.-]+/g)].map(([link]) => ({ file, link })),
    );
    expect(links.map(({ file }) => file)).toContain("SECURITY.md");
    expect(links.filter(({ link }) => link !== address)).toEqual([]);
  });
});

test(".node-version, nodeVersion of pnpm and the packages of Node.js name the same version", () => {
  const version = read(".node-version").trim();
  const ofPackages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  expect(ofPackages.map(([, ofPackage]) => ofPackage)).toEqual(Array(4).fill(version));
  expect(read("pnpm-workspace.yaml")).toContain(`\nnodeVersion: ${version}\n`);
});
