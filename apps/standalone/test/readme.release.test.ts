/** The README's commands on the oldest Node.js that it supports. */
import { execFileSync } from "node:child_process";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../src/testing/demo.ts";
import { engines, readme, runReadmeCommands } from "./readme-example.ts";

describe.skipIf(!hasRuntimes)("the oldest supported version of Node.js", () => {
  test("is stated in the README and in package.json", async () => {
    const version = execFileSync(await installRuntime("Node 20"), ["--version"], { encoding: "utf8" });
    const major = Number.parseInt(version.slice(1), 10);
    expect(engines.node).toBe(`>=${major}`);
    expect(readme).toContain(`Node.js ${major} or later`);
  });

  test("runs the example and the commands of the README", async () => {
    const parley = await startDemo();
    onTestFinished(() => parley.stop());
    const printed = await runReadmeCommands(await installRuntime("Node 20"), parley);
    expect(printed).toMatch(/^new lead Ada Novak\n(.*\n)*new lead Test of the Parley CLI$/m);
  });
});
