import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@parley/testing/free-port";
import { startProgram } from "@parley/testing/program";
import { expect, onTestFinished } from "vitest";
import type { Demo } from "../src/testing/demo.ts";

const repository = join(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");
export const readme: string = read("README.md");
export const { engines, scripts } = JSON.parse(read("package.json")) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

/** Runs the commands of the README on a Node.js, and returns what the example prints. */
export async function runReadmeCommands(node: string, parley: Demo): Promise<string> {
  const port = `${await freePort()}`;
  const start = (script: string, ...args: string[]) => {
    expect(readme).toContain(`npm run ${script}`);
    const words = (scripts[script] ?? "")
      .replace(".parley/demo.env", parley.variablesFile)
      .split(" ")
      .slice(1);
    const options = { cwd: repository, env: { PATH: process.env["PATH"], PORT: port } };
    const program = startProgram([node, ...words, ...args], options);
    onTestFinished(program.kill);
    return program;
  };

  const example = start("example");
  await example.output(/^lead \w+.*\n(.*\n)*waiting for events$/m);
  const forward = ["--forward-to", `localhost:${port}`];
  const triggered = await start("parley", "trigger", "lead.created", ...forward).ended();
  expect(triggered.stdout).toMatch(/204 {2}lead\.created/);
  await example.output(/^new lead Ada Novak$/m);

  const listening = start("parley", "listen", ...forward);
  await listening.output(/^Ready\./m);
  expect((await start("parley", "trigger", "lead.created", "--live").ended()).code).toBe(0);
  await listening.output(/204 {2}lead\.created/);
  await example.output(/^new lead Test of the Parley CLI$/m);
  return example.text();
}
