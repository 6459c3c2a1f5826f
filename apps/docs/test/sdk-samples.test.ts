/** The TypeScript of the chapters, compiled against the SDK's sources. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { samples } from "./chapters.ts";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "parley-sdk-samples-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the TypeScript samples compile", () => {
  const typescript = samples.filter((sample) => sample.language === "ts");
  expect(typescript.length).toBeGreaterThan(1);
  typescript.forEach((sample, index) => {
    writeFileSync(join(folder, `sample-${index}.mts`), sample.code);
  });
  const configuration = {
    extends: join(repository, "tsconfig.base.json"),
    compilerOptions: {
      typeRoots: [join(repository, "node_modules/@types")],
      paths: {
        "@parley/sdk": [join(repository, "packages/sdk/src/index.ts")],
        "@parley/sdk/webhooks": [join(repository, "packages/sdk/src/webhooks/index.ts")],
      },
    },
    include: ["*.mts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  expect(complaintsOf(join(repository, "node_modules/.bin/tsc"), folder)).toEqual([]);
}, 60_000);

/** What the compiler says of the samples; the SDK's own sources are checked elsewhere. */
function complaintsOf(compiler: string, project: string): string[] {
  try {
    execFileSync(compiler, ["-p", project, "--pretty", "false"], { cwd: project, encoding: "utf8" });
    return [];
  } catch (error) {
    const lines = String((error as { stdout: string }).stdout).split("\n");
    return lines.filter((line) => /^sample-|^error/.test(line));
  }
}
