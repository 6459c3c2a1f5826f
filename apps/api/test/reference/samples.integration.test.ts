/** Runs the code samples of the reference unchanged against a server. */
import { description, type OperationId, operationTable } from "@parley/contract";
import { conformingFetch } from "@parley/contract/testing";
import { withSamples } from "@parley/docs/samples";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { hasCurl, programFolder, statusesOf } from "./run.ts";

/** Operations of pages, which are opened in a browser. */
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

/** Returns the sample of an operation in a language. */
function sampleOf(operationId: OperationId, label: string, server: string): string {
  const { paths } = withSamples(description, server);
  const sampled = Object.values(paths).flatMap((item) => Object.values(item) as Sampled[]);
  const samples = sampled.find((operation) => operation.operationId === operationId)?.["x-codeSamples"] ?? [];
  const found = samples.find((sample) => sample.label === label);
  if (!found) throw new Error(`${operationId} has no sample in ${label}`);
  return found.source;
}

let server: ExampleServer;
const programs = programFolder();

beforeAll(async () => {
  server = await startExampleServer();
});
beforeEach(() => server.renew());
afterAll(async () => {
  programs.remove();
  await server.close();
});

describe.skipIf(!hasCurl)("curl", () => {
  test.each(operations)("$operationId", async ({ operationId, successStatus }) => {
    const statuses = await statusesOf(sampleOf(operationId, "curl", server.url), server.variables);
    expect(new Set(statuses)).toEqual(new Set([successStatus]));
  });
});

describe("TypeScript", () => {
  beforeEach(() => {
    for (const [name, value] of Object.entries(server.variables)) vi.stubEnv(name, value);
    vi.spyOn(console, "log").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test.each(operations)("$operationId", async ({ operationId, successStatus }) => {
    const fetch = conformingFetch();
    vi.stubGlobal("fetch", fetch);
    await programs.run(operationId, sampleOf(operationId, "TypeScript", server.url));
    expect([...fetch.exercised]).toEqual([`${operationId} ${successStatus}`]);
  });
});
