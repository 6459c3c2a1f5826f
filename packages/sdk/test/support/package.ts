import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const tsc = join(root, "../../node_modules/typescript/bin/tsc");

/** Package installed from its tarball. */
export interface InstalledPackage {
  /** Folder of a project in which only the package is installed. */
  readonly project: string;
  /** Files in the tarball. */
  readonly files: readonly string[];
  /** Path of the tarball. */
  readonly tarball: string;
  /** Compiles a folder of the project with its tsconfig.json and returns the output of the compiler. */
  compile(folder: string): Promise<string>;
  /** Removes the project. */
  remove(): void;
}

/**
 * Packs the package with `npm pack` and installs it with `npm install` in an empty project.
 *
 * It is built in a temporary folder, because other tests may read `dist` at the same time. The installation uses no network
 * and an empty cache: openapi-fetch and its types are packed from the workspace.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), "parley-sdk-"));
  const project = join(folder, "project");
  mkdirSync(project);

  const openapiFetch = realpathSync(join(root, "node_modules/openapi-fetch"));
  const helpers = realpathSync(join(openapiFetch, "../openapi-typescript-helpers"));
  const [own, ...others] = await Promise.all([
    build(join(folder, "sdk")).then(pack),
    pack(copy(openapiFetch, join(folder, "openapi-fetch"))),
    pack(copy(helpers, join(folder, "helpers"))),
  ]);

  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const quiet = ["--offline", "--no-audit", "--no-fund", "--cache", join(folder, "cache")];
  const tarballs = [own, ...others].map(({ tarball }) => tarball);
  await run("npm", ["install", ...quiet, ...tarballs], { cwd: project });
  const nodeTypes = realpathSync(join(root, "../../node_modules/@types/node"));
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(nodeTypes, join(project, "node_modules/@types/node"));

  return {
    project,
    files: own.files,
    tarball: own.tarball,
    compile: (folder) => compile(join(project, folder)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Builds the package in a folder and returns the folder. */
async function build(folder: string): Promise<string> {
  mkdirSync(folder);
  for (const file of ["package.json", "README.md", "CHANGELOG.md", "LICENSE"]) {
    cpSync(join(root, file), join(folder, file));
  }
  await run(process.execPath, [
    tsc,
    "-p",
    join(root, "tsconfig.build.json"),
    "--outDir",
    join(folder, "dist"),
  ]);
  return folder;
}

/** Copies a folder, because pnpm hard-links equal files and npm leaves hard links out of a tarball. */
function copy(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

async function pack(folder: string): Promise<{ tarball: string; files: string[] }> {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json"], { cwd: folder });
  // npm 12 prints an object by package name, older versions print an array.
  const packed: { filename: string; files: { path: string }[] }[] = Object.values(JSON.parse(stdout));
  return {
    tarball: join(folder, packed.map(({ filename }) => filename).join()),
    files: packed.flatMap(({ files }) => files.map(({ path }) => path)).sort(),
  };
}

async function compile(folder: string): Promise<string> {
  const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}
