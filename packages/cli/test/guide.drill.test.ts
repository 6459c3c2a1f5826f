/** Follows "Quick start" and "Develop locally" in an empty folder: packages, programs and commands, on Node.js 20. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { samples } from "@parley/docs/chapters";
import { Parley } from "@parley/sdk";
import { allowAccess, type Demo, startDemo } from "@parley/standalone/testing";
import { freePort } from "@parley/testing/free-port";
import { newUserEnvironment } from "@parley/testing/new-user";
import { type Program, startProgram } from "@parley/testing/program";
import { hasRuntimes } from "@parley/testing/runtimes";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const folder = makeTestFolder();

let demo: Demo;
let environment: Record<string, string>;
let port: number;
beforeAll(async () => {
  demo = await startDemo();
  port = await freePort();
  // `npm install --global` writes to bin/.
  environment = { ...(await newUserEnvironment(folder)), npm_config_prefix: folder };
});
afterAll(() => demo.stop());

/** Returns the sample of a chapter that contains a text, with the address of this demo and another port. */
function sample(chapter: string, text: string): string {
  const found = samples.filter((each) => each.chapter === chapter && each.code.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return (found[0]?.code ?? "")
    .replaceAll("http://127.0.0.1:8080", demo.url)
    .replaceAll(encodeURIComponent("http://127.0.0.1:8080"), encodeURIComponent(demo.url))
    .replaceAll(/(127\.0\.0\.1|localhost):3000/g, `127.0.0.1:${port}`);
}

/** Starts commands in a shell, and returns a function that waits for output. */
function start(commands: string, variables: Record<string, string> = {}, cwd = folder): Program["output"] {
  const env = { ...environment, ...variables };
  const program = startProgram(["sh", "-euc", commands], { cwd, env, detached: true });
  onTestFinished(program.kill);
  return program.output;
}

async function run(commands: string, variables: Record<string, string> = {}, cwd = folder): Promise<string> {
  const env = { ...environment, ...variables };
  return (await promisify(execFile)("sh", ["-euc", commands], { cwd, env })).stdout;
}

describe.skipIf(!hasRuntimes)("a guide works as it says", () => {
  test("Quick start", async () => {
    const step = (text: string) => sample("quick-start", text);
    const redirect = await allowAccess(step("response_type=code").trim());
    const code = redirect.searchParams.get("code") ?? "";
    const tokens = JSON.parse(await run(step("oauth/token").replace("parley_ac_paste_yours", code)));
    const pasted = (text: string) => step(text).replace("parley_at_paste_yours", tokens.access_token);
    expect(await run(pasted("/api/v1/me"))).toContain("Pro Properties");

    await run(step("npm init"));
    const project = join(folder, "parley-quick-start");
    const variables = { ACCESS_TOKEN: tokens.access_token };
    for (const [file, text] of [
      ["leads.mjs", "leads.list"],
      ["receiver.mjs", "createServer"],
    ] as const)
      writeFileSync(join(project, file), step(text));
    expect(await run("node leads.mjs", variables, project)).toMatch(/^\S+@\S+ \d+$/m);

    const { data: subscription } = JSON.parse(await run(step("webhooks/subscribe"), variables));
    const receiver = step("node receiver.mjs").replace("parley_ws_paste_yours", subscription.secret);
    const received = start(receiver, { PORT: `${port}` }, project);
    await received(/waiting for events/);
    const { data: chatbots } = JSON.parse(await run(pasted("/api/v1/chatbots")));
    const creation = step("CHATBOT=").replace("01928c5e-7a10-7c44-8d21-0b6de2f0a001", chatbots[0].value);
    await run(creation, variables);
    await received(/new lead Grace Hopper/);
  });

  test("Develop locally", async () => {
    const command = (text: string) => sample("develop-locally", text);
    await run(command("npm install --global"));

    const [, page = ""] = await start(command("parley login http"))(/^ {2}(http\S+)$/m);
    await fetch(await allowAccess(page));
    await expect
      .poll(() => run("parley me").catch(() => ""), { timeout: 20_000 })
      .toContain("Pro Properties");

    writeFileSync(join(folder, "receiver.mjs"), command("createServer(receiver)"));
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
