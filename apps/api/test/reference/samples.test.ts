/** The code samples of the reference, run as they stand against the server that they name. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { description, type OperationId, operationTable } from "@parley/contract";
import { conformingFetch } from "@parley/contract/testing";
import { withSamples } from "@parley/docs/samples";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Scene, startScene } from "./scene.ts";

/** Pages that are opened in a browser, not called. */
const pages = [
  "authorize",
  "submitAuthorization",
  "showConnectedApps",
  "submitConnectedApps",
  "showClients",
  "submitClients",
  "showClient",
  "submitClient",
];
const operations = operationTable.filter(({ operationId }) => !pages.includes(operationId));

interface Sampled {
  operationId?: OperationId;
  "x-codeSamples"?: { label: string; source: string }[];
}

/** The sample of an operation in a language; `label` is the language's. */
function sampleOf(operationId: OperationId, label: string, server: string): string {
  const { paths } = withSamples(description, server);
  const sampled = Object.values(paths).flatMap((item) => Object.values(item) as Sampled[]);
  const samples = sampled.find((operation) => operation.operationId === operationId)?.["x-codeSamples"] ?? [];
  const found = samples.find((sample) => sample.label === label);
  if (!found) throw new Error(`${operationId} has no sample in ${label}`);
  return found.source;
}

let scene: Scene;
const folder = mkdtempSync(join(tmpdir(), "parley-samples-"));

beforeAll(async () => {
  scene = await startScene();
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
});
beforeEach(() => scene.renew());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await scene.close();
});

/** Runs commands in a shell; resolves to the status of each answer, in their order. */
async function statusesOf(commands: string): Promise<number[]> {
  const printingStatus = `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' "$@"; }\n`;
  const { PATH } = process.env;
  const env = { PATH, ACCESS_TOKEN: scene.tenant.token, PLATFORM_KEY: scene.platformKey };
  const { stdout } = await promisify(execFile)("sh", ["-euc", printingStatus + commands], { env });
  return stdout.trim().split("\n").map(Number);
}

const hasCurl = spawnSync("curl", ["--version"]).error === undefined;
if (!hasCurl && process.env["CI"]) throw new Error("CI must have curl: .ci/run installs it");
if (!hasCurl) console.warn("skipped: there is no curl on this machine");

describe.skipIf(!hasCurl)("curl", () => {
  test.each(operations)("$operationId", async ({ operationId, successStatus }) => {
    const statuses = await statusesOf(sampleOf(operationId, "curl", scene.url));
    expect(new Set(statuses)).toEqual(new Set([successStatus]));
  });
});

describe("TypeScript", () => {
  beforeEach(() => {
    vi.stubEnv("ACCESS_TOKEN", scene.tenant.token);
    vi.stubEnv("PLATFORM_KEY", scene.platformKey);
    vi.spyOn(console, "log").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test.each(operations)("$operationId", async ({ operationId, successStatus }) => {
    const file = join(folder, `${operationId}.ts`);
    writeFileSync(file, sampleOf(operationId, "TypeScript", scene.url));
    const fetch = conformingFetch();
    vi.stubGlobal("fetch", fetch);
    await import(pathToFileURL(file).href);
    expect([...fetch.exercised]).toEqual([`${operationId} ${successStatus}`]);
  });
});
