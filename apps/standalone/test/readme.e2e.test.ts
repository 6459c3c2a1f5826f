import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { demo } from "@parley/database";
import { Parley } from "@parley/sdk";
import { hasRuntimes, installRuntime } from "@parley/testing/runtimes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allowAccess, type Demo, startDemo } from "../src/testing/demo.ts";

const repository = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(repository, "README.md"), "utf8");
const [, file = ""] = /TOKEN=parley_at_… node (\S+\.mjs)`/.exec(readme) ?? [];
const { engines } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
let parley: Demo;

beforeAll(async () => {
  parley = await startDemo();
});
afterAll(() => parley.stop());

/** Runs the example as the README says, on the given Node.js. */
function runExample(node: string, token: string) {
  const env = { PATH: process.env["PATH"], TOKEN: token, PARLEY_URL: parley.url };
  return promisify(execFile)(node, [file], { cwd: repository, env, timeout: 60_000 });
}

/** Oldest Node.js that the README supports. */
const oldest = hasRuntimes ? installRuntime("Node 20") : Promise.resolve(process.execPath);

async function subscriptions() {
  return (await new Parley({ baseUrl: parley.url, accessToken: parley.token }).webhooks.list()).data;
}

test("the README shows the example's file", () => {
  expect(readme).toContain(`\`\`\`js\n${readFileSync(join(repository, file), "utf8")}\`\`\`\n`);
});

test.skipIf(!hasRuntimes)("this test runs the oldest supported version of Node.js", async () => {
  const { stdout } = await promisify(execFile)(await oldest, ["--version"]);
  expect(engines.node).toBe(`>=${Number.parseInt(stdout.slice(1), 10)}`);
  expect(readme).toContain(`Node.js ${Number.parseInt(stdout.slice(1), 10)} or later`);
});

test.each([
  ["the oldest Node.js", () => oldest],
  ["Parley's own", async () => process.execPath],
])("the example runs on %s, and leaves no subscription", async (_name, node) => {
  const { stdout } = await runExample(await node(), parley.token);
  expect(stdout).toContain("lead.created");
  expect(stdout).toContain("Ada Novak");
  expect(await subscriptions()).toEqual([]);
});

test("the example leaves no subscription when it fails", async () => {
  const run = runExample(await oldest, await tokenFor("webhooks:manage"));
  await expect(run).rejects.toThrow("insufficient_scope");
  expect(await subscriptions()).toEqual([]);
});

/** An access token of the demo's organization that has one scope, so that the example cannot create a lead. */
async function tokenFor(scope: string): Promise<string> {
  const [redirectUri] = demo.redirectUris;
  const page = new URL(`${parley.url}/api/oauth/authorize`);
  const request = {
    response_type: "code",
    client_id: demo.clientId,
    redirect_uri: redirectUri,
    scope,
    state: "s",
  };
  page.search = new URLSearchParams(request).toString();
  const code = (await allowAccess(page.href)).searchParams.get("code") ?? "";
  const client = { client_id: demo.clientId, client_secret: demo.clientSecret };
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    ...client,
  });
  const response = await fetch(`${parley.url}/api/oauth/token`, { method: "POST", body });
  return ((await response.json()) as { access_token: string }).access_token;
}
