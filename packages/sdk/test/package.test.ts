import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { signWebhook } from "../src/webhooks/index.ts";
import { type InstalledPackage, installPackage } from "./support/package.ts";
import { one, pageOfLeads } from "./support/replies.ts";
import { startServer } from "./support/server.ts";

const run = promisify(execFile);
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
}, 60_000);

afterAll(() => installed?.remove());

/** One of each major version from 20 on that the machine has: name and path. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? "").split(delimiter).map((path) => join(path, "node")),
]
  .filter((path) => existsSync(path))
  .map((path) => [execFileSync(path, ["--version"], { encoding: "utf8" }).trim(), path] as const)
  .filter(
    ([version], index, all) =>
      Number.parseInt(version.slice(1), 10) >= 20 && all.findIndex(([other]) => other === version) === index,
  );

test("the tarball: built files, their types, the papers, nothing else", () => {
  const { files } = installed;
  const others = files.filter((file) => !/^dist\/.*\.(js|d\.ts)$/.test(file));
  expect(others).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "package.json"]);
  expect(files).toContain("dist/schema.d.ts");
  expect(files.filter((file) => file.includes(".test."))).toEqual([]);
});

test("the LICENSE and the README", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  expect(read("LICENSE")).toBe(read("../../LICENSE"));
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(61);
});

test("nothing in it imports from Node, or what is not installed with it", () => {
  const specifiers = installed.files
    .filter((file) => file.startsWith("dist/"))
    .map((file) => readFileSync(join(installed.project, "node_modules/@parley/sdk", file), "utf8"))
    .flatMap((code) =>
      [...code.matchAll(/\b(?:from|import\() ?"([^".][^"]*)"/g)].map(([, specifier]) => specifier),
    );
  expect(new Set(specifiers)).toEqual(new Set(["openapi-fetch"]));
});

const consumer = `
import { Parley, NotFoundError, exchangeCode, toTokens, type Lead, type Tokens } from "@parley/sdk";
import { verifyWebhook, type WebhookEventOf } from "@parley/sdk/webhooks";

const store = async (tokens: Tokens): Promise<void> => console.log(tokens.accessToken);
const client = { baseUrl: "https://parley.example.com", clientId: "client", clientSecret: "secret" };
const granted = await exchangeCode({ ...client, code: "code", redirectUri: "https://app.example.com" });
const parley = new Parley({ ...client, tokens: toTokens(granted), onTokens: store, fetch: globalThis.fetch });

for await (const lead of parley.leads.list({ status: "new" })) {
  const score: number = lead.attributes.score;
  console.log(score);
}
const { data, meta } = await parley.tickets.list({ limit: 10 }, { signal: AbortSignal.timeout(1000) });
console.log(data[0]?.attributes.subject, meta.has_more);
const raw = await parley.client.GET("/api/v1/leads/{id}", { params: { path: { id: "a" } } });
const lead: Lead | undefined = raw.data?.data;
console.log(lead, raw.error?.error === "not_found");
try {
  await parley.leads.get("a");
} catch (error) {
  if (error instanceof NotFoundError) {
    const code: "not_found" = error.code;
    console.log(code, error.requestId);
  }
}

const event = await verifyWebhook({ payload: new Uint8Array(), headers: new Headers(), secret: ["a", "b"] });
if (event.type === "lead.score_changed") {
  const changed: WebhookEventOf<"lead.score_changed"> = event;
  console.log(changed.previous_attributes, event.data.attributes.contact.email);
}
const { data: ticket } = await parley.tickets.create({ subject: "Help" }, { idempotencyKey: "order-4711" });
for await (const message of parley.conversations.messages(ticket.attributes.conversation_id ?? "")) {
  const role: "visitor" | "chatbot" | "agent" = message.attributes.role;
  console.log(role);
}
// @ts-expect-error a key is for POSTs
parley.tickets.update("a", { status: "open" }, { idempotencyKey: "order-4711" });
// @ts-expect-error no such filter
parley.leads.list({ color: "red" });
// @ts-expect-error no such event
parley.webhooks.subscribe({ target_url: "https://a.example", event_types: ["lead.teleported"] });
// @ts-expect-error not an error of this type
if (event.type === "lead.lost") console.log(event);
`;

describe("the types, with skipLibCheck off", () => {
  const nodenext = ["--module", "nodenext"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
  test.each([
    ["nodenext, DOM", [...nodenext, "--lib", "es2022,dom"]],
    ["bundler, DOM", [...bundler, "--lib", "es2022,dom"]],
    [
      "nodenext, @types/node without DOM",
      [...nodenext, "--lib", "es2024,esnext.disposable", "--types", "node"],
    ],
  ])("%s", async (_, options) => {
    writeFileSync(join(installed.project, "consumer.ts"), consumer);
    expect(await installed.typeCheck("consumer.ts", options)).toBe("");
  });
});

describe.each(nodes)("under Node %s", (_, node) => {
  test("both entries load, and verify what was signed", async () => {
    const code = `
      import { Parley, createPkce } from "@parley/sdk";
      import { signWebhook, verifyWebhook } from "@parley/sdk/webhooks";
      const payload = '{"type":"lead.created"}';
      const headers = await signWebhook({ payload, secret: "s" });
      const { type } = await verifyWebhook({ payload, headers: new Headers(headers), secret: "s" });
      console.log(type, typeof Parley, (await createPkce()).codeVerifier.length);`;
    const { stdout } = await run(node, ["--input-type=module", "-e", code], { cwd: installed.project });
    expect(stdout.trim()).toBe("lead.created function 43");
  });

  test("the README's example runs: lists, subscribes, receives, refuses", async () => {
    const example = /```js\n(.*?)```/s.exec(
      readFileSync(join(installed.project, "node_modules/@parley/sdk/README.md"), "utf8"),
    )?.[1];
    writeFileSync(join(installed.project, "example.mjs"), example ?? "");
    const { baseUrl, received } = await startServer(({ method, url }) =>
      method === "POST" ? { ...one({ id: "w", secret: "parley_ws_1" }), status: 201 } : pageOfLeads(url, 130),
    );
    const port = await freePort();
    const env = {
      PATH: process.env.PATH,
      PARLEY_URL: baseUrl,
      PARLEY_TOKEN: "parley_at_0",
      HOOK_URL: "https://hook.example.com",
      PORT: `${port}`,
    };
    const child = spawn(node, ["example.mjs"], {
      cwd: installed.project,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    while (!output.includes("waiting for events")) await once(child.stdout, "data");
    expect(output.match(/^lead ada@example.com 40$/gm)).toHaveLength(130);
    expect(received.at(-1)?.body).toEqual({ target_url: env.HOOK_URL, event_types: ["lead.created"] });

    const payload = JSON.stringify({
      type: "lead.created",
      data: { attributes: { contact: { email: "grace@example.com" } } },
    });
    const deliver = async (secret: string) => {
      const headers = await signWebhook({ payload, secret });
      return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: payload, headers })).status;
    };
    expect(await deliver("parley_ws_other")).toBe(400);
    expect(await deliver("parley_ws_1")).toBe(204);
    while (!output.includes("new lead")) await once(child.stdout, "data");
    expect(output).toContain("new lead grace@example.com");
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
