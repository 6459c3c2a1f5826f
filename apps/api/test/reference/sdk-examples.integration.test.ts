/** The examples in the SDK's own documentation, run against the server. */
import { sdkExamples } from "@parley/docs/sdk-examples";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { programFolder } from "./run.ts";
import { type Scene, startScene } from "./scene.ts";

let scene: Scene;
const programs = programFolder();

beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  programs.remove();
  await scene.close();
});
beforeEach(async () => {
  await scene.renew();
  for (const [name, value] of Object.entries(scene.variables)) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const names = sdkExamples("").map(({ name }) => name);

test.each(names)("%s", async (name) => {
  const program = sdkExamples(scene.url).find((example) => example.name === name)?.program ?? "";
  // What is stored ends the example: a poll would go on.
  const outcome = await programs.run(name, program).then(
    () => "finished",
    (error: Error) => error.message,
  );
  expect(outcome).toBe(program.includes("stored.write(changes") ? "stored string" : "finished");
});
