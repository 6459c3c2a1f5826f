import { build } from "rolldown";
import { expect, test } from "vitest";
import * as platform from "zapier-platform-core";
import manifest from "../package.json" with { type: "json" };
import options from "../rolldown.config.ts";

/** It is missing from the package's types. */
const { createAppHandler } = platform as unknown as {
  createAppHandler: (app: object) => (event: { command: string }) => Promise<{ results: unknown }>;
};

test("the bundle imports only the platform, and passes `zapier validate`", async () => {
  const { output } = await build({ cwd: `${import.meta.dirname}/..`, ...options });
  expect(output[0].imports).toEqual(["zapier-platform-core"]);
  const { default: app } = await import("../dist/index.js" as string);
  expect(app).toMatchObject({ version: manifest.version, platformVersion: platform.version });
  expect((await createAppHandler(app)({ command: "validate" })).results).toEqual([]);
});
