/** Compiles the TypeScript samples of the chapters and operations with the SDK's sources. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Contract, Operation } from "../src/calls.ts";
import { withSamples } from "../src/samples.ts";
import { sdkCalls } from "../src/sdk-calls.ts";
import { samples } from "../src/testing/chapters.ts";
import { sdkExamples, withoutExample } from "../src/testing/sdk-examples.ts";
import { contract } from "./description.ts";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "parley-sdk-samples-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { paths } = withSamples(contract as Contract, "http://127.0.0.1:8080");
const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);

/** The samples of the chapters and operations, by file name. */
function programs(): Record<string, string> {
  const chapters = samples
    .filter((sample) => sample.language === "ts")
    .map(({ code }, index) => [index, code]);
  const shown = operations.flatMap(({ operationId, "x-codeSamples": sources = [] }) =>
    sources.filter(({ lang }) => lang === "TypeScript").map(({ source }) => [operationId, source]),
  );
  const documented = sdkExamples("http://127.0.0.1:8080").map(({ name, program }) => [name, program]);
  return Object.fromEntries([...chapters, ...shown, ...documented]) as Record<string, string>;
}

test("the TypeScript samples compile", () => {
  const sources = Object.entries(programs());
  expect(sources.length).toBeGreaterThan(45);
  for (const [name, source] of sources) writeFileSync(join(folder, `sample-${name}.mts`), source);
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  const configuration = {
    extends: join(repository, "tsconfig.base.json"),
    compilerOptions: {
      typeRoots: [join(repository, "node_modules/@types")],
      paths: {
        "@parley/sdk": [join(repository, "packages/sdk/src/index.ts")],
        "@parley/sdk/testing": [join(repository, "packages/sdk/src/testing/index.ts")],
        "@parley/sdk/webhooks": [join(repository, "packages/sdk/src/webhooks/index.ts")],
        "@parley/sdk/webhooks/*": [join(repository, "packages/sdk/src/webhooks/receivers/*.ts")],
      },
    },
    include: ["*.mts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  expect(complaintsOf(join(repository, "node_modules/.bin/tsc"), folder)).toEqual([]);
});

test("each function and method of the SDK has an example", () => {
  expect(withoutExample()).toEqual([]);
});

test("the table of the SDK's calls contains only operations of the contract", () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(names).toEqual(expect.arrayContaining(Object.keys(sdkCalls)));
});

/** Returns the compiler's errors in the samples. Other checks cover the SDK's sources. */
function complaintsOf(compiler: string, project: string): string[] {
  try {
    execFileSync(compiler, ["-p", project, "--pretty", "false"], { cwd: project, encoding: "utf8" });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error; // The compiler did not start.
    return stdout.split("\n").filter((line) => /^sample-|^error/.test(line));
  }
}
