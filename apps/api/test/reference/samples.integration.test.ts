/** Runs the TypeScript samples of the reference unchanged against a server. */
import { conformingFetch } from "@parley/contract/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { programFolder } from "./run.ts";
import { sampledOperations, sampleOf } from "./sampled-operations.ts";

let server: ExampleServer;
const programs = programFolder();

beforeAll(async () => {
  server = await startExampleServer();
});
beforeEach(async () => {
  await server.renew();
  for (const [name, value] of Object.entries(server.variables)) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
afterAll(async () => {
  programs.remove();
  await server.close();
});

test.each(sampledOperations)("$operationId", async ({ operationId, successStatus }) => {
  const fetch = conformingFetch();
  vi.stubGlobal("fetch", server.watched(fetch));
  await programs.run(operationId, sampleOf(operationId, "TypeScript", server.url));
  expect([...fetch.exercised]).toEqual([`${operationId} ${successStatus}`]);
});
