/** Runs the receivers of the chapter unchanged: a server of each framework, and the handler of a `Request`. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "@parley/testing/free-port";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sampleOf } from "../src/testing/chapters.ts";
import { type Case, cases, secret } from "./deliveries.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-receivers-"));
symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

const servers: ChildProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
});

/** Writes the program below a heading to a file. */
function fileOf(heading: string): string {
  const file = join(folder, `${heading.replaceAll(/\W/g, "-")}.mts`);
  writeFileSync(file, sampleOf({ heading, language: "ts" }));
  return file;
}

/** Runs the program. Resolves to its address when it listens. */
async function start(file: string): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), PARLEY_WEBHOOK_SECRET: secret };
  const server = spawn(process.execPath, [file], { env, stdio: "ignore" });
  servers.push(server);
  await vi.waitFor(() => listening(port), { timeout: 60_000, interval: 50 });
  return `http://localhost:${port}/parley`;
}

async function listening(port: number): Promise<void> {
  const socket = connect(port, "localhost");
  await once(socket, "connect");
  socket.destroy();
}

function requestOf(url: string, { body: sent, timestamp, signature }: Case): Request {
  const headers = {
    "content-type": "application/json",
    ...(timestamp !== undefined && { "x-parley-timestamp": timestamp }),
    ...(signature !== undefined && { "x-parley-signature": signature }),
  };
  return new Request(url, { method: "POST", headers, body: sent });
}

const expected = cases.map(({ name, accepted }) => [name, accepted ? 204 : 400]);

describe.each([
  "Receive webhooks in Express",
  "Receive webhooks in Fastify",
  "Receive webhooks with node:http",
])("%s", (heading) => {
  test("responds 204 to correctly signed deliveries and 400 to others", async () => {
    const url = await start(fileOf(heading));
    const responses = cases.map(async (each) => [each.name, (await fetch(requestOf(url, each))).status]);
    expect(await Promise.all(responses)).toEqual(expected);
  });
});

describe("without a server", () => {
  beforeEach(() => {
    vi.stubEnv("PARLEY_WEBHOOK_SECRET", secret);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  const url = "https://hooks.example.com/parley";
  const load = (heading: string): Promise<unknown> => import(pathToFileURL(fileOf(heading)).href);

  test("Receive webhooks in Next.js and Hono", async () => {
    const { POST } = (await load("Receive webhooks in Next.js and Hono")) as {
      POST: (request: Request) => Promise<Response>;
    };
    const responses = cases.map(async (each) => [each.name, (await POST(requestOf(url, each))).status]);
    expect(await Promise.all(responses)).toEqual(expected);
  });

  test("Verify a signature with the SDK", async () => {
    const { handle } = (await load("Verify a signature with the SDK")) as {
      handle: (payload: string, headers: Headers) => Promise<number>;
    };
    const responses = cases.map(async (each) => [
      each.name,
      await handle(each.body, requestOf(url, each).headers),
    ]);
    expect(await Promise.all(responses)).toEqual(expected);
  });
});
