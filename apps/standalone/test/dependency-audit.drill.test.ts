import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startProgram } from "@parley/testing/program";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Starts a registry whose audit endpoint gives the response. */
async function startRegistry(status: number, body: object): Promise<string> {
  const server: Server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function audit(registry: string, ...options: string[]) {
  const env = { ...process.env, pnpm_config_registry: registry };
  return startProgram([process.execPath, join(root, ".config/audit-dependencies.mjs"), ...options], {
    env,
  }).ended();
}

const advisory = {
  id: 1,
  url: "https://github.com/advisories/GHSA-0000-0000-0000",
  title: "Reads the memory of the process",
  severity: "high",
  vulnerable_versions: ">=0.0.0",
};

test("says that no dependency has a known vulnerability", async () => {
  const { code, stdout } = await audit(await startRegistry(200, {}));
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("Dependencies audited: no known vulnerability"),
  ]);
});

test("fails if a dependency has a vulnerability, and names it", async () => {
  const { code, stderr } = await audit(await startRegistry(200, { pg: [advisory] }));
  expect([code, stderr]).toEqual([1, expect.stringContaining("Reads the memory of the process")]);
});

test("says that nothing was audited if the registry has no audit endpoint", async () => {
  const registry = await startRegistry(405, {});
  const { code, stderr } = await audit(registry);
  expect([code, stderr]).toEqual([0, expect.stringContaining("WARNING: Dependencies NOT audited")]);
  expect(stderr).toContain("(405)");
  expect((await audit(registry, "--required")).code).toBe(1);
});
