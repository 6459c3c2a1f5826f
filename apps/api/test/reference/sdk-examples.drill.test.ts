/** Runs the examples of the SDK's documentation against the server. */
import { sdkExamples } from "@parley/docs/sdk-examples";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { programFolder } from "./run.ts";

let server: ExampleServer;
/** Programs by name. */
let examples: Map<string, string>;
const programs = programFolder();

beforeAll(async () => {
  server = await startExampleServer();
  examples = new Map(sdkExamples(server.url).map(({ name, program }) => [name, program]));
});
afterAll(async () => {
  programs.remove();
  await server.close();
});
beforeEach(async () => {
  await server.renew();
  vi.stubGlobal("fetch", server.watched(globalThis.fetch));
  for (const [name, value] of Object.entries(server.variables)) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const names = sdkExamples("").map(({ name }) => name);

test.each(names)("%s", async (name) => {
  const program = examples.get(name) ?? "";
  // Storing a value ends the example, because polling would continue.
  const outcome = await programs.run(name, program).then(
    () => "finished",
    (error: Error) => error.message,
  );
  expect(outcome).toBe(/stored\.write\((changes|events)/.test(program) ? "stored string" : "finished");
});
