import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "@parley/testing/test-folder";
import { describe, expect, it, onTestFinished } from "vitest";
import { explainDataFolder, openDataFolder } from "./data-folder.ts";

const folder = makeTestFolder();
const file = join(folder, "file");
writeFileSync(file, "");
const remedy =
  "Set DATA_DIR to a folder that this user can write to, on a disk with free space, for example DATA_DIR=$HOME/parley.";

it("creates the folder with its parents, and leaves nothing in it", () => {
  const deep = join(folder, "a/b/c");
  expect([openDataFolder(deep), openDataFolder(deep)]).toEqual([deep, deep]);
  expect(readdirSync(deep)).toEqual([]);
});

it.each([
  [file, "a part of this path is not a folder"],
  [join(file, "below"), "a part of this path is not a folder"],
  ...(process.platform === "linux"
    ? [
        ["/proc/parley", "the folder cannot be created"],
        ["/proc/parley/data", "the folder cannot be created"],
      ]
    : []),
])("explains why %s cannot store data", (path, reason) => {
  expect(() => openDataFolder(path)).toThrow(
    `Parley cannot store its data in ${path} (DATA_DIR): ${reason}. ${remedy}`,
  );
});

/** Mounts a file system; undefined if this process may not, as in many containers. */
function mounts(options: string): string | undefined {
  const target = join(folder, `mounted-${options.replace(/\W+/g, "-")}`);
  mkdirSync(target);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "none", target], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", target]));
  return target;
}

describe.each([
  ["size=4k", "the disk is full"],
  ["ro", "the file system is read-only"],
])("a file system with %s", (options, reason) => {
  it("is rejected", ({ skip }) => {
    const target = mounts(options);
    if (target === undefined) return skip("this user may not mount file systems");
    expect(() => openDataFolder(target)).toThrow(`in ${target} (DATA_DIR): ${reason}. ${remedy}`);
  });
});

it.each([
  ["could not extend file: No space left on device", "the disk is full"],
  ["Error querying the database: ERROR: wrote only 4096 of 8192 bytes (53100)", "the disk is full"],
  ['FATAL: could not create lock file "postmaster.pid": Read-only file system', "is read-only"],
])("recognizes PostgreSQL's message: %s", (message, reason) => {
  const explained = String(explainDataFolder(folder, new Error(message)));
  expect(explained).toContain(`${folder} (DATA_DIR)`);
  expect(explained).toContain(reason);
});

it("recognizes a full disk by its SQLSTATE", () => {
  const error = Object.assign(new Error("could not write"), { code: "53100" });
  expect(String(explainDataFolder(folder, error))).toContain("the disk is full");
});

it("leaves other errors as they are", () => {
  const error = new Error("lead 53100 does not exist");
  expect(explainDataFolder(folder, error)).toBe(error);
});
