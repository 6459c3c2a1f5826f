import { execFile, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { hasChromium, launchChromium } from "@parley/testing/chromium";
import { hasRuntimes, installRuntime, type Runtime } from "@parley/testing/runtimes";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { signWebhook } from "../../src/webhooks/index.ts";
import { type InstalledPackage, installPackage } from "../support/package.ts";
import { dataResponse, errorResponse, leadFixture, leadPageResponse } from "../support/responses.ts";
import { startTestServer } from "../support/server.ts";

const run = promisify(execFile);
const secret = "parley_ws_1";
const outcome =
  "130 leads, 130 changes, created, true, lead.created, reserialized_payload, lead.created signature_mismatch, 204 lead.created, 43 43";

/** CI sets NODE_UNDER_TEST to run these tests on other versions of Node.js. */
const node = process.env["NODE_UNDER_TEST"] ?? process.execPath;

let installed: InstalledPackage;
const projectOf = (name: string, ...path: string[]) => join(installed.project, name, ...path);

beforeAll(async () => {
  installed = await installPackage();
  cpSync(join(import.meta.dirname, "../../testProjects"), installed.project, { recursive: true });
});

afterAll(() => installed?.remove());

/** Starts a server with 130 leads that allows all origins (CORS). */
async function startLeadServer(): Promise<string> {
  const cors = { "access-control-allow-origin": "*", "access-control-expose-headers": "x-request-id" };
  const allowed = { "access-control-allow-headers": "authorization, content-type, idempotency-key" };
  const { baseUrl } = await startTestServer(({ method, url }) => {
    if (method === "OPTIONS") return { status: 204, headers: { ...cors, ...allowed } };
    if (method === "POST") return { ...dataResponse(leadFixture("created")), headers: cors, status: 201 };
    const response = url.includes("missing") ? errorResponse(404, "not_found") : leadPageResponse(url, 130);
    return { ...response, headers: cors };
  });
  return baseUrl;
}

/** Runs a program and returns its output. */
async function output(program: string, args: string[], project: string): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: installed.project, PARLEY_URL: await startLeadServer() };
  const { stdout } = await run(program, args, { cwd: projectOf(project), env, timeout: 60_000 });
  return stdout.trim();
}

/** Bundles a module of a project with everything it imports and returns the path of the bundle. */
async function bundle(project: string, entry: string, define: Record<string, string> = {}): Promise<string> {
  const build = await rolldown({ input: projectOf(project, entry), transform: { define } });
  const file = projectOf(project, "bundle.js");
  await build.write({ file, format: "esm", minify: true });
  await build.close();
  return file;
}

const nodes: Runtime[] = ["Node 20", "Node 22", "Node 24"];

describe.skipIf(!hasRuntimes)("on other runtimes", () => {
  test.each(nodes)("%s: import", async (runtime) => {
    expect(await output(await installRuntime(runtime), ["main.mjs"], "esm")).toBe(outcome);
  });

  test.each(nodes)("%s: require", async (runtime) => {
    const args = ["--disable-warning=ExperimentalWarning", "main.cjs"];
    expect(await output(await installRuntime(runtime), args, "commonjs")).toBe(outcome);
  });

  test("Bun", async () => {
    expect(await output(await installRuntime("Bun"), ["main.mjs"], "esm")).toBe(outcome);
  });

  test("Deno", async () => {
    const args = ["run", "--allow-net", "--allow-env", "--node-modules-dir=manual", "main.mjs"];
    expect(await output(await installRuntime("Deno"), args, "esm")).toBe(outcome);
  });

  test("Cloudflare's workerd: client and receiver", async () => {
    await bundle("workers", "worker.mjs");
    const env = { PARLEY_URL: await startLeadServer(), PARLEY_WEBHOOK_SECRET: secret };
    const args = ["serve", "config.capnp", "--control-fd=1"];
    const worker = spawn(await installRuntime("workerd"), args, {
      cwd: projectOf("workers"),
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void worker.kill("SIGKILL"));
    const url = `http://127.0.0.1:${await portOf(worker.stdout)}/`;
    expect(await (await fetch(url)).text()).toBe(outcome);

    const payload = JSON.stringify({ id: "e1", type: "lead.created", data: {} });
    const headers = await signWebhook({ payload, secret });
    const deliver = async (body: string) => (await fetch(url, { method: "POST", headers, body })).status;
    expect(await deliver(payload)).toBe(204);
    expect(await deliver(payload.replace("e1", "e2"))).toBe(400);
  });
});

/** Returns the port of workerd, which prints one JSON event per line. */
async function portOf(stdout: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stdout })) {
    const { event, port } = JSON.parse(line);
    if (event === "listen") return port;
  }
  throw new Error("workerd did not start");
}

test("this Node: import and require", async () => {
  expect(await output(node, ["main.mjs"], "esm")).toBe(outcome);
  expect(await output(node, ["main.cjs"], "commonjs")).toBe(outcome);
});

test("TypeScript: nodenext, skipLibCheck off, without DOM", async () => {
  expect(await installed.compile("typescript-nodenext")).toBe("");
  const printed = await output(node, ["dist/main.js"], "typescript-nodenext");
  expect(printed).toBe("5200 130 lead true not_found");
});

test("TypeScript: bundler, skipLibCheck off, without Node", async () => {
  expect(await installed.compile("typescript-bundler")).toBe("");
  const define = { PARLEY_URL: JSON.stringify(await startLeadServer()) };
  const file = await bundle("typescript-bundler", "main.ts", define);
  expect(await output(node, ["--input-type=module", "-e", readFileSync(file, "utf8")], "esm")).toContain(
    "130 not_found leads:read 400",
  );
});

test.skipIf(!hasChromium)("Chromium, from another origin", async () => {
  const script = readFileSync(await bundle("browser", "main.mjs"), "utf8");
  const page = `<!doctype html><script type="module">${script}</script>`;
  const html = { body: page, headers: { "content-type": "text/html" } };
  const { baseUrl } = await startTestServer(() => html);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`${baseUrl}/?parley=${encodeURIComponent(await startLeadServer())}`);
  await tab.waitForFunction("document.title !== ''");
  expect(await tab.title()).toBe(outcome);
});
