/** Follows the chapter "Develop locally" in an empty folder: its packages, its receiver and its commands, on Node.js 20. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { samples } from "@parley/docs/chapters";
import { Parley } from "@parley/sdk";
import { allowAccess, type Demo, startDemo } from "@parley/standalone/testing";
import { newUserEnvironment } from "@parley/testing/new-user";
import { hasRuntimes } from "@parley/testing/runtimes";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const port = 39_123;
const guide = samples.filter(({ chapter }) => chapter === "develop-locally");
const folder = makeTestFolder();

let demo: Demo;
let environment: Record<string, string>;
beforeAll(async () => {
  demo = await startDemo();
  // `npm install --global` writes to bin/.
  environment = { ...(await newUserEnvironment(folder)), npm_config_prefix: folder };
});
afterAll(() => demo.stop());

/** Returns the commands of the guide that contain a text, with the address of this demo and a free port. */
function command(text: string): string {
  const found = guide.filter(({ language, code }) => language === "sh" && code.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return (found[0]?.code ?? "")
    .replaceAll("http://127.0.0.1:8080", demo.url)
    .replaceAll("localhost:3000", `127.0.0.1:${port}`);
}

/** Starts commands in a shell, and returns the process with a function that waits for output. */
function start(commands: string, variables: Record<string, string> = {}) {
  const env = { ...environment, ...variables };
  const child: ChildProcess = spawn("sh", ["-euc", commands], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += String(chunk)));
  return async (pattern: RegExp) => {
    await expect.poll(() => text, { timeout: 60_000 }).toMatch(pattern);
    return pattern.exec(text) ?? [];
  };
}

const run = async (commands: string) =>
  (await promisify(execFile)("sh", ["-euc", commands], { cwd: folder, env: environment })).stdout;

describe.skipIf(!hasRuntimes)("Develop locally", () => {
  test("works as the chapter says", async () => {
    await run(command("npm install "));

    const [, page = ""] = await start(command("parley login"))(/^ {2}(http\S+)$/m);
    await fetch(await allowAccess(page));
    await expect
      .poll(() => run("parley me").catch(() => ""), { timeout: 20_000 })
      .toContain("Pro Properties");

    const [receiver] = guide.filter(({ language }) => language === "js");
    writeFileSync(join(folder, "receiver.mjs"), receiver?.code ?? "");
    const received = start(command("node receiver.mjs"), { PORT: `${port}` });
    await received(/waiting for events/);
    const listening = start(command("parley listen --forward-to"));
    await listening(/^Ready\. Events of Pro Properties/m);

    expect(await run(command("trigger lead.created --forward-to"))).toMatch(/204 {2}lead\.created/);
    await received(/new lead Ada Novak/);

    await expect(run(command("--live"))).rejects.toThrow(/parley login \S+ --write/);
    const parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
    const { data: chatbots } = await parley.chatbots.list({ limit: 1 });
    await parley.leads.create({ chatbot_id: chatbots[0]?.id ?? "", contact: { name: "Grace Hopper" } });
    await listening(/204 {2}lead\.created/);
    await received(/new lead Grace Hopper/);
  });
});
