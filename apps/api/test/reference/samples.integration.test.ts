/** Runs the code samples of the reference unchanged against a server. */
import { conformingFetch } from "@parley/contract/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { hasCurl, programFolder, statusesOf } from "./run.ts";
import { sampledOperations, sampleOf } from "./sampled-operations.ts";

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
  test.each(sampledOperations)("$operationId", async ({ operationId, successStatus }) => {
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

  test.each(sampledOperations)("$operationId", async ({ operationId, successStatus }) => {
    const fetch = conformingFetch();
    vi.stubGlobal("fetch", fetch);
    await programs.run(operationId, sampleOf(operationId, "TypeScript", server.url));
    expect([...fetch.exercised]).toEqual([`${operationId} ${successStatus}`]);
  });
});
