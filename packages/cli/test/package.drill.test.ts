/** Installs the package from a server with npm, and uses it on the oldest supported Node.js. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Demo, startDemo } from "@parley/standalone/testing";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { makeTestFolder } from "@parley/testing/test-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startReceiver } from "./support/receiver.ts";

const run = promisify(execFile);

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

test.skipIf(!hasRuntimes)(
  "runs on Node.js 20 after npm install from the server, without a registry",
  async () => {
    const folder = makeTestFolder();
    const quiet = [
      "--no-audit",
      "--no-fund",
      "--registry",
      "http://127.0.0.1:9",
      "--cache",
      join(folder, "cache"),
    ];
    await run("npm", ["install", "--global", "--prefix", folder, ...quiet, `${demo.url}/cli.tgz`]);

    const secret = "parley_ws_local";
    const env = {
      PATH: process.env["PATH"],
      PARLEY_URL: demo.url,
      PARLEY_TOKEN: demo.token,
      PARLEY_WEBHOOK_SECRET: secret,
    };
    const node = await installRuntime("Node 20");
    const parley = async (...args: string[]) =>
      (await run(node, [join(folder, "bin/parley"), ...args], { env })).stdout;

    const receiver = await startReceiver(secret);
    expect(await parley("trigger", "lead.created", "--forward-to", receiver.url)).toMatch(
      /204 {2}lead\.created/,
    );
    expect(await parley("leads", "list", "--limit", "1")).toMatch(/^ID /);
    expect(await parley("trigger", "ticket.created", "--live")).toMatch(/^Created ticket /);
    expect(await parley("events", "list")).toContain("ticket.created");
  },
);
