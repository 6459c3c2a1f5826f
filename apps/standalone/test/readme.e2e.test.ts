import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@parley/testing/free-port";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(repository, "README.md"), "utf8");
const { engines, scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
let parley: Demo;

beforeAll(async () => {
  parley = await startDemo();
});
afterAll(() => parley.stop());

/** Oldest Node.js that the README supports. */
const oldest = hasRuntimes ? installRuntime("Node 20") : Promise.resolve(process.execPath);

/** Returns the arguments of a script of package.json for `node`, with the variables of this demo. */
function argumentsOf(script: string): string[] {
  expect(readme).toContain(`npm run ${script}`);
  return scripts[script].replace(".parley/demo.env", parley.variablesFile).split(" ").slice(1);
}

test("the README shows the example's file", () => {
  const file = argumentsOf("example").at(-1) ?? "";
  expect(readme).toContain(`\`\`\`js\n${readFileSync(join(repository, file), "utf8")}\`\`\`\n`);
});

test.skipIf(!hasRuntimes)("this test runs the oldest supported version of Node.js", async () => {
  const { stdout } = await run(await oldest, ["--version"]);
  expect(engines.node).toBe(`>=${Number.parseInt(stdout.slice(1), 10)}`);
  expect(readme).toContain(`Node.js ${Number.parseInt(stdout.slice(1), 10)} or later`);
});

test.each([
  ["the oldest Node.js", () => oldest],
  ["Parley's own", async () => process.execPath],
])("the example lists leads and receives the events of the README's commands, on %s", async (_name, node) => {
  const program = await node();
  const port = `${await freePort()}`;
  const inFolder = { cwd: repository, env: { PATH: process.env["PATH"], PORT: port } };
  const start = (script: string, ...args: string[]) => {
    const child = spawn(program, [...argumentsOf(script), ...args], {
      ...inFolder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    return (expected: RegExp) => expect.poll(() => text, { timeout: 30_000 }).toMatch(expected);
  };

  const exampleOutput = start("example");
  await exampleOutput(/^lead \w+.*\n(.*\n)*waiting for events$/m);
  const forward = ["--forward-to", `localhost:${port}`];
  const cli = async (...args: string[]) =>
    (await run(program, [...argumentsOf("parley"), ...args], inFolder)).stdout;
  expect(await cli("trigger", "lead.created", ...forward)).toMatch(/204 {2}lead\.created/);
  await exampleOutput(/^new lead Ada Novak$/m);

  const listening = start("parley", "listen", ...forward);
  await listening(/^Ready\./m);
  await cli("trigger", "lead.created", "--live");
  await listening(/204 {2}lead\.created/);
  await exampleOutput(/^new lead Test of the Parley CLI$/m);
});
