import { createServer, type Server, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { Parley } from "@parley/sdk";
import { type Demo, startDemo } from "@parley/standalone/testing";
import type { Program } from "@parley/testing/program";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { commandLine, type TestCommandLine } from "./support/command-line.ts";
import { startReceiver } from "./support/receiver.ts";

let demo: Demo;
let parley: Parley;
let chatbotId: string;
beforeAll(async () => {
  demo = await startDemo();
  parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
  chatbotId = (await parley.chatbots.list({ limit: 1 })).data[0]?.id ?? "";
});
afterAll(() => demo.stop());

const secret = "parley_ws_local";
const createLead = (score = 0) =>
  parley.leads.create({ chatbot_id: chatbotId, contact: { name: "Ada Novak" }, score });

function cliWith(variables: Record<string, string> = {}): TestCommandLine {
  return commandLine({
    PARLEY_URL: demo.url,
    PARLEY_TOKEN: demo.token,
    PARLEY_WEBHOOK_SECRET: secret,
    ...variables,
  });
}

async function listen(cli: TestCommandLine, url: string, ...options: string[]): Promise<Program> {
  const command = cli.start("listen", "--forward-to", url, ...options);
  await command.output(/^Ready\. Events of Pro Properties are forwarded to /m);
  return command;
}

const stop = (command: Program) => command.stop("SIGINT");

test("forwards events with a valid signature, and prints a line for each", async () => {
  const receiver = await startReceiver(secret);
  const command = await listen(cliWith(), receiver.url);
  const { data: lead } = await createLead();
  const { data: ticket } = await parley.tickets.create({ subject: "No invoice" });
  await command.output(/ticket\.created/);
  expect(receiver.received.map(({ type, data }) => [type, data.id])).toEqual([
    ["lead.created", lead.id],
    ["ticket.created", ticket.id],
  ]);
  const { code, stdout, stderr } = await stop(command);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("Signing secret: that you chose");
  expect(lines[2]).toMatch(/^\d\d:\d\d:\d\d {2}204 {2}lead\.created {2,}[\da-f-]{36} {2}\d+ ms$/);
});

test("shows why a delivery failed, and retries it with --retry", async () => {
  const receiver = await startReceiver(secret);
  const command = await listen(cliWith(), receiver.url, "--retry", "--event-types", "lead.created");
  receiver.failures = 1;
  await createLead(95);
  await command.output(/attempt 2/);
  const { stdout } = await stop(command);
  expect(stdout).toMatch(/503 {2}lead\.created.*\n +Down for maintenance\n.*204 {2}lead\.created.*attempt 2/);
  expect(receiver.received.map(({ type }) => type)).toEqual(["lead.created"]);
});

test("explains that nothing listens, and continues", async () => {
  const command = await listen(cliWith(), "http://127.0.0.1:9/hook");
  await createLead();
  await command.output(/--- {2}lead\.created/);
  const { code, stdout } = await stop(command);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Connection refused|bad port/)]);
});

test("prints lines of JSON with --json", async () => {
  const receiver = await startReceiver(secret);
  const command = cliWith().start("listen", "--forward-to", receiver.url, "--json", "--since", "1m");
  const { data: lead } = await createLead();
  await vi.waitFor(() => expect(receiver.received.at(-1)?.data.id).toBe(lead.id), { timeout: 20_000 });
  const { stdout } = await stop(command);
  const attempts = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(attempts.at(-1)).toEqual({
    time: expect.any(String),
    event_id: receiver.received.at(-1)?.id,
    event_type: "lead.created",
    attempt: 1,
    delivered: true,
    status: 204,
    error: null,
    response_body: "",
    duration_ms: expect.any(Number),
  });
});

test("uses a secret of this machine without PARLEY_WEBHOOK_SECRET, the same each time", async () => {
  const cli = cliWith({ PARLEY_WEBHOOK_SECRET: "" });
  const first = await cli.run("listen", "--print-secret");
  expect(first.stdout).toMatch(/^parley_ws_[\w-]{43}\n$/);
  const receiver = await startReceiver(first.stdout.trim());
  const command = await listen(cli, receiver.url);
  await createLead();
  await command.output(/204 {2}lead\.created/);
  expect((await stop(command)).stdout).toContain(`Signing secret: ${first.stdout}`);
});

test("reconnects when the API was unreachable, and misses no event", async () => {
  const receiver = await startReceiver(secret);
  const proxy = await startProxy();
  const command = await listen(cliWith({ PARLEY_URL: proxy.url }), receiver.url);
  await createLead();
  await command.output(/204/);
  await proxy.stop();
  await command.output(/The API cannot be reached: .* Retrying …/);
  const { data: lead } = await createLead();
  await proxy.start();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 60_000 });
  expect(receiver.received[1]?.data.id).toBe(lead.id);
  expect((await stop(command)).code).toBe(0);
});

test.each([
  [[], 2, "Add --forward-to http://localhost:3000/hook. To only see events: parley events tail"],
  [
    ["--forward-to", "http://"],
    2,
    "Must be an http or https URL like http://localhost:3000/hook, or a port.",
  ],
  [["--forward-to", "3000", "--event-types", "lead.gone"], 2, "Event types: lead.created, "],
  [["--forward-to", "ftp://localhost"], 2, "Must be an http or https URL"],
  [["--forward-to", "http://user:password@localhost"], 2, "Must be an http or https URL"],
  [["--forward-to", "/hook"], 2, "Must be an http or https URL"],
  [["--forward-to", "3000", "--retry", "often"], 2, "Must be a number of retries."],
  [["--forward-to", "3000", "--since", "yesterday"], 2, "Must be a time like 2026-03-01"],
])("rejects the arguments %j", async (args, code, message) => {
  const outcome = await cliWith().run("listen", ...args);
  expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringContaining(message)]);
});

test("fails with the reason when the token is invalid or the server does not respond", async () => {
  const args = ["listen", "--forward-to", "3000"];
  const invalid = await cliWith({ PARLEY_TOKEN: "parley_at_0" }).run(...args);
  expect([invalid.code, invalid.stderr]).toEqual([
    1,
    expect.stringContaining("This is the token in PARLEY_TOKEN."),
  ]);
  const gone = await cliWith({ PARLEY_URL: "http://127.0.0.1:9" }).run(...args);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("Is the server running?")]);
});

/** Starts a proxy for the server, which can be stopped and started again at the same address. */
async function startProxy() {
  let port = 0;
  let server: Server;
  async function start(): Promise<void> {
    server = createServer(({ method, url, headers }, response) => {
      const outgoing = sendRequest(demo.url + url, { method, headers }, (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(response);
      });
      outgoing.on("error", () => response.destroy());
      outgoing.end();
      response.on("close", () => outgoing.destroy());
    }).listen(port, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    ({ port } = server.address() as AddressInfo);
  }
  async function stopServer(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await start();
  onTestFinished(stopServer);
  return { url: `http://127.0.0.1:${port}`, start, stop: stopServer };
}
