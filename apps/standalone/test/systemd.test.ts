import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { apiVariables } from "@parley/api/config";
import { findInstalled } from "@parley/testing/installed";
import { makeTestFolder } from "@parley/testing/test-folder";
import { workerVariables } from "@parley/worker/config";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../../..");
const folder = join(repository, "deploy/systemd");
const analyze = findInstalled("systemd-analyze", "the check of the units");
const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** Variables of each unit. Some belong to libraries or name files with secrets. */
const known = (variables: object) => new Set([...Object.keys(variables), "NODE_ENV"]);

describe.each([
  ["parley-api@.service", apiVariables],
  ["parley-worker@.service", workerVariables],
])("deploy/systemd/%s", (file, variables) => {
  const unit = read(file);
  const values = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  test("sets variables that the program has, and gives it each secret that it names", () => {
    const assigned = values("Environment").flatMap((line) => line.split(" "));
    const names = assigned.map((text) => text.split("=")[0]?.replace(/_FILE$/, "") ?? "");
    expect(names.filter((name) => !known(variables).has(name))).toEqual([]);
    const named = assigned.flatMap((text) => text.match(/(?<=%d\/).+/g) ?? []);
    expect(named.length).toBeGreaterThan(1);
    expect(values("LoadCredential").map((text) => text.split(":")[0])).toEqual(named);
  });

  test("waits longer for the end of the process than the process itself", () => {
    const [seconds = ""] = values("TimeoutStopSec");
    expect(Number.parseInt(seconds, 10) * 1_000).toBeGreaterThan(
      variables.SHUTDOWN_TIMEOUT_MS.parse(undefined),
    );
  });

  test("starts files that a release has", () => {
    const [start = ""] = values("ExecStart");
    const [after = ""] = values("ExecStartPost");
    const script = start.split(" ")[1] ?? "";
    const wait = after.split(" ")[0]?.replace("/opt/parley/current/", "") ?? "";
    const collected = readFileSync(join(repository, "deploy/image/collect.ts"), "utf8");
    expect(collected).toContain(`"${script}"`);
    expect(collected).toContain(`"deploy/systemd"`);
    expect(statSync(join(repository, wait)).mode & 0o111).not.toBe(0);
  });

  test.skipIf(analyze === null)("systemd accepts it", () => {
    const copy = join(makeTestFolder(), file);
    writeFileSync(copy, unit.replaceAll(/=\/opt\/parley\/current\/\S+/g, "=/bin/true"));
    const verify = (path: string) => {
      try {
        return execFileSync(analyze ?? "", ["verify", "--man=no", path], { encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        return String((error as { stderr?: string }).stderr);
      }
    };
    expect(verify(copy)).toBe("");
    writeFileSync(copy, unit.replace("Restart=always", "Restart=sometimes"));
    expect(verify(copy)).not.toBe("");
  });
});

test("deploy/systemd/parley-admin runs the release that contains it, with the services' database or a given one", () => {
  const release = makeTestFolder();
  for (const path of ["deploy/systemd", "bin"]) mkdirSync(join(release, path), { recursive: true });
  copyFileSync(join(folder, "parley-admin"), join(release, "deploy/systemd/parley-admin"));
  writeFileSync(join(release, "bin/node"), '#!/bin/sh\necho "$DATABASE_URL_FILE $*"\n', { mode: 0o755 });
  symlinkSync(join(release, "deploy/systemd/parley-admin"), join(release, "command"));
  const run = (env: NodeJS.ProcessEnv) =>
    execFileSync(join(release, "command"), ["migrate"], { env, encoding: "utf8" }).trim();
  const program = `${realpathSync(release)}/deploy/image/parley.mjs admin migrate`;
  const { PATH } = process.env;
  expect(run({ PATH })).toBe(`/etc/parley/secrets/database-url ${program}`);
  expect(run({ PATH, DATABASE_URL_FILE: "/restored-url" })).toBe(`/restored-url ${program}`);
});

test("deploy/systemd/parley.env sets variables that Parley has", () => {
  const names = read("parley.env").match(/^\w+(?==)/gm) ?? [];
  expect(names.filter((name) => !known({ ...apiVariables, ...workerVariables }).has(name))).toEqual([]);
  expect(names).toContain("PUBLIC_URL");
});
