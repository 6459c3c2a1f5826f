/** Runs the samples in curl, Python, PHP and Go unchanged against a server. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { hasCurl, statusesOf } from "./run.ts";
import { sampledOperations, sampleOf } from "./sampled-operations.ts";

interface Language {
  readonly label: string;
  /** Command that succeeds if the language is installed. */
  readonly check: [string, ...string[]];
  /** Returns the command for a sample, whose file is in its own folder. */
  readonly run: (folder: string, name: string) => [string, ...string[]];
  readonly file: string;
  /** Command that compiles all samples. */
  readonly build?: [string, ...string[]];
}

const languages: Language[] = [
  {
    label: "Python",
    check: ["python3", "-c", "import requests"],
    run: (folder, name) => ["python3", join(folder, name, "sample.py")],
    file: "sample.py",
  },
  {
    label: "PHP",
    check: ["php", "-r", "curl_init();"],
    run: (folder, name) => ["php", join(folder, name, "sample.php")],
    file: "sample.php",
  },
  {
    label: "Go",
    check: ["go", "version"],
    run: (folder, name) => [join(folder, "bin", name)],
    file: "main.go",
    build: ["go", "build", "-o", "bin/", "./..."],
  },
];

let server: ExampleServer;
beforeAll(async () => {
  server = await startExampleServer();
});
beforeEach(() => server.renew());
afterAll(() => server.close());

function isInstalled({ label, check: [program, ...args] }: Language): boolean {
  if (spawnSync(program, args).status === 0) return true;
  if (process.env["CI"]) throw new Error(`CI must have ${label}: .ci/run installs it`);
  console.warn(`skipped: ${label} is not installed`);
  return false;
}

describe.skipIf(!hasCurl)("curl", () => {
  test.each(sampledOperations)("$operationId", async ({ operationId, successStatus }) => {
    const statuses = await statusesOf(sampleOf(operationId, "curl", server.url), server.variables);
    expect(new Set(statuses)).toEqual(new Set([successStatus]));
  });
});

describe.each(languages)("$label", (language) => {
  const { label, run, file, build } = language;
  const isPossible = isInstalled(language);
  const folder = makeTestFolder();
  const environment = { PATH: process.env["PATH"], HOME: folder, GOCACHE: join(folder, "cache") };
  const execute = ([program, ...args]: [string, ...string[]], variables = {}) =>
    promisify(execFile)(program, args, { cwd: folder, env: { ...environment, ...variables } });

  beforeAll(async () => {
    if (!isPossible) return;
    for (const { operationId } of sampledOperations) {
      mkdirSync(join(folder, operationId));
      writeFileSync(join(folder, operationId, file), sampleOf(operationId, label, server.url));
    }
    writeFileSync(join(folder, "go.mod"), "module samples\n");
    if (build) await execute(build);
  });

  test.skipIf(!isPossible).each(sampledOperations)("$operationId", async ({ operationId }) => {
    // The programs exit with another code if the status is not 2xx.
    const { stdout, stderr } = await execute(run(folder, operationId), server.variables);
    expect([stdout.length > 0, stderr]).toEqual([true, ""]);
  });
});
