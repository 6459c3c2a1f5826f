/** Runs the receivers of the chapter unchanged: a server of each framework and language, and the handler of a `Request`. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "@parley/testing/free-port";
import { startProgram } from "@parley/testing/program";
import { acceptsConnections } from "@parley/testing/server-process";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sampleOf } from "../src/testing/chapters.ts";
import { body, type Case, secret, signCases } from "./deliveries.ts";
import { isMissing, starts } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-receivers-"));
symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the program below a heading to a file. */
function fileOf(heading: string, language = "ts", extension = "mts"): string {
  const file = join(folder, `${heading.replaceAll(/\W/g, "-")}.${extension}`);
  writeFileSync(file, sampleOf({ chapter: "webhook-receivers", heading, language }));
  return file;
}

/** A receiver of the chapter. */
interface Receiver {
  heading: string;
  language: string;
  extension: string;
  /** Program that must be installed. */
  tool: string;
  /** Returns the command that starts the file. */
  command: (file: string, port: string) => string[];
}

const node: Omit<Receiver, "heading"> = {
  language: "ts",
  extension: "mts",
  tool: process.execPath,
  command: (file) => [process.execPath, file],
};
const withoutSdk: Receiver[] = [
  { ...node, heading: "Node.js without the SDK", language: "js", extension: "mjs" },
  {
    heading: "Python",
    language: "python",
    extension: "py",
    tool: "python3",
    command: (file) => ["python3", file],
  },
  {
    heading: "PHP",
    language: "php",
    extension: "php",
    tool: "php",
    command: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file],
  },
  { heading: "Ruby", language: "ruby", extension: "rb", tool: "ruby", command: (file) => ["ruby", file] },
  {
    heading: "Go",
    language: "go",
    extension: "go",
    tool: "go",
    command: (file) => {
      // `go run` would leave its child process running.
      const env = { ...process.env, HOME: folder, GOCACHE: join(folder, "cache") };
      execFileSync("go", ["build", "-o", `${file}.bin`, file], { env });
      return [`${file}.bin`];
    },
  },
];
const withSdk: Receiver[] = ["Express", "Fastify", "node:http"].map((heading) => ({ ...node, heading }));

/** Runs a receiver. Resolves to its address when it listens, with a function that returns its output. */
async function start({ heading, language, extension, command }: Receiver, webhookSecret = secret) {
  const port = String(await freePort());
  const env = { ...process.env, PORT: port, PARLEY_WEBHOOK_SECRET: webhookSecret };
  const server = startProgram(command(fileOf(heading, language, extension), port), { env });
  onTestFinished(server.kill);
  const exitCode = () => server.child.exitCode;
  await vi.waitFor(async () => exitCode() !== null || (await acceptsConnections(Number(port))), {
    timeout: 60_000,
    interval: 50,
  });
  return { url: `http://127.0.0.1:${port}/parley`, output: server.text, exitCode };
}

function requestOf(
  url: string,
  { body: sent, timestamp, signature }: Case,
  delivery: string = crypto.randomUUID(),
): Request {
  const headers = {
    "content-type": "application/json",
    "x-parley-delivery": delivery,
    ...(timestamp !== undefined && { "x-parley-timestamp": timestamp }),
    ...(signature !== undefined && { "x-parley-signature": signature }),
  };
  return new Request(url, { method: "POST", headers, body: sent });
}

const expected = signCases().map(({ name, accepted }) => [name, accepted ? 204 : 400]);
const event = JSON.parse(body);
const statusOf = async (request: Request): Promise<number> => (await fetch(request)).status;

/** Returns whether a receiver cannot run here. */
const cannotRun = ({ tool }: Receiver) =>
  isMissing(tool, starts(tool, tool === "go" ? "version" : "--version"));

for (const receiver of [...withSdk, ...withoutSdk]) {
  test.skipIf(cannotRun(receiver))(
    `${receiver.heading}: responds 204 to correctly signed deliveries and 400 to others`,
    async () => {
      const { url } = await start(receiver);
      const responses = signCases().map(async (each) => [each.name, await statusOf(requestOf(url, each))]);
      expect(await Promise.all(responses)).toEqual(expected);
    },
  );
}

for (const receiver of withoutSdk) {
  test.skipIf(cannotRun(receiver))(
    `${receiver.heading}: handles each event once, and accepts nothing without a secret`,
    async () => {
      const { url, output } = await start(receiver);
      const [fresh] = signCases() as [Case];
      for (const _ of [1, 2]) expect(await statusOf(requestOf(url, fresh, "the same ID"))).toBe(204);
      // The PHP receiver keeps no variables between requests.
      const times = receiver.heading === "PHP" ? 2 : 1;
      const line = `${event.type} ${event.data.id}`;
      await vi.waitFor(() => expect(output().split(line)).toHaveLength(times + 1));

      const unprotected = await start(receiver, "");
      const ended = unprotected.exitCode() !== null;
      const result = ended ? unprotected.output() : await statusOf(requestOf(unprotected.url, fresh));
      expect(String(result)).toMatch(/Set PARLEY_WEBHOOK_SECRET|^500$/);
    },
  );
}

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

  test("Next.js and Hono", async () => {
    const { POST } = (await load("Next.js and Hono")) as {
      POST: (request: Request) => Promise<Response>;
    };
    const responses = signCases().map(async (each) => [each.name, (await POST(requestOf(url, each))).status]);
    expect(await Promise.all(responses)).toEqual(expected);
  });

  test("Other JavaScript environments", async () => {
    const { handle } = (await load("Other JavaScript environments")) as {
      handle: (payload: string, headers: Headers) => Promise<number>;
    };
    const responses = signCases().map(async (each) => [
      each.name,
      await handle(each.body, requestOf(url, each).headers),
    ]);
    expect(await Promise.all(responses)).toEqual(expected);
  });
});
