/** Runs the commands of the guide about signatures, unchanged and in order, with deliveries of a server. */
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { description, type Schemas } from "@parley/contract";
import { samples } from "@parley/docs/chapters";
import { receiveWebhooks } from "@parley/sdk/webhooks/node";
import { receiveWebhooks as receiveRequests } from "@parley/sdk/webhooks/request";
import { beforeEach, describe, expect, test } from "vitest";
import { useWebhookApi } from "../../src/testing/webhook-api.ts";

const tools = ["curl", "jq", "openssl", "cmp", "od", "shasum", "sha256sum"];
const missing = tools.filter((tool) => spawnSync(tool, ["--version"]).error);
if (missing.length > 0 && process.env["CI"]) throw new Error(`CI must have ${missing.join(", ")}`);

const { parameters } = description.components;
const commands = samples.filter(
  ({ chapter, language }) => chapter === "debug-signature" && language === "sh",
);

const { api, client } = useWebhookApi();
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-debug-"));
  return () => rmSync(folder, { recursive: true });
});

/** A delivery that a receiver rejected. */
interface Rejected {
  readonly subscription: string;
  readonly delivery: Schemas["Delivery"];
  /** Signing secret of the subscription. */
  readonly secret: string;
}

/** Sends a test delivery to a receiver whose framework changes the body. */
async function reject(change: (body: string) => string, wrongSecret?: string): Promise<Rejected> {
  const options = { secret: "", on: {}, onError: () => undefined };
  const respond: (...parameters: Parameters<RequestListener>) => Promise<void> = async (
    request,
    response,
  ) => {
    const received = change(await text(request));
    writeFileSync(join(folder, "received.json"), received);
    const headers = request.headers as Record<string, string>;
    const answer = await receiveRequests(options)(
      new Request(server.url, { method: "POST", headers, body: received }),
    );
    response.writeHead(answer.status).end(await answer.text());
  };
  const server = await listen((request, response) => void respond(request, response));
  const { id, secret } = await client.subscribe(server.url);
  options.secret = wrongSecret ?? secret;
  try {
    const { data } = await client.take<{ data: Schemas["Delivery"] }>("POST", `/api/v1/webhooks/${id}/test`);
    return { subscription: id, delivery: data, secret };
  } finally {
    server.close();
  }
}

/** Starts a server on a free port. */
async function listen(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** Runs the command of the guide that contains a text; resolves to the lines that it prints. */
async function run(
  part: string,
  { subscription, delivery, secret }: Rejected,
  change = (code: string) => code,
): Promise<string[]> {
  const found = commands.filter(({ code }) => code.includes(part));
  expect(found).toHaveLength(1);
  const code = (found[0]?.code ?? "")
    .replaceAll("http://127.0.0.1:8080", api.url)
    .replaceAll(parameters.PathSubscriptionId.example, subscription)
    .replaceAll(parameters.PathDeliveryId.example, delivery.id);
  const { PATH } = process.env;
  const env = { PATH, ACCESS_TOKEN: client.tenant.token, SECRET: secret };
  const { stdout } = await promisify(execFile)("sh", ["-euc", change(code)], { cwd: folder, env });
  return stdout.trimEnd().split("\n");
}

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

describe.skipIf(missing.length > 0)("the guide about signatures", () => {
  test("shows that the secret is right and one byte was added", async () => {
    const rejected = await reject((body) => `${body}\n`);
    await run("--output", rejected);
    const attempt = JSON.parse(
      (await run("attempts[-1]' delivery.json", rejected)).join("\n"),
    ) as Schemas["DeliveryAttempt"];
    const sent = readFileSync(join(folder, "sent.json"), "utf8");
    const received = readFileSync(join(folder, "received.json"), "utf8");
    expect(received).toBe(`${sent}\n`);

    // The receiver responded with what it received.
    expect(attempt.response_body).toContain("reserialized_payload");
    expect(attempt.response_body).toContain(
      `body of ${Buffer.byteLength(received)} bytes (SHA-256 ${sha256(received)})`,
    );
    expect(attempt.response_body).toContain(attempt.request?.headers["x-parley-signature"]);
    expect(attempt.response_body).not.toContain(rejected.secret);

    for (const header of ["x-parley-signature", "webhook-signature"]) {
      const lines = await run(`request.headers["${header}"]`, rejected);
      expect(lines).toEqual([attempt.request?.headers[header], attempt.request?.headers[header]]);
    }
    const [length, hash] = await run("shasum", rejected);
    expect(length?.trim()).toBe(`${Buffer.byteLength(sent)} sent.json`);
    expect(hash).toBe(`${sha256(sent)}  sent.json`);
    const linux = await run("shasum", rejected, (code) => code.replace("shasum -a 256", "sha256sum"));
    expect(linux[1]).toBe(hash);
    await expect(run("cmp ", rejected)).rejects.toThrow("EOF on sent.json");
    const byte = Buffer.byteLength(sent) + 1;
    const shown = await run("BYTE=1", rejected, (code) => code.replace("BYTE=1", `BYTE=${byte}`));
    expect(shown.join("").trim()).toBe("\\n");
  });

  test("shows that the secret is wrong and the body is unchanged", async () => {
    const wrong = `parley_ws_${"x".repeat(43)}`;
    const rejected = await reject((body) => body, wrong);
    await run("--output", rejected);
    await run("attempts[-1]' delivery.json", rejected);
    expect(await run("cmp ", rejected)).toEqual([""]);
    for (const header of ["x-parley-signature", "webhook-signature"]) {
      const [own, parley] = await run(`request.headers["${header}"]`, { ...rejected, secret: wrong });
      expect(own).toMatch(/^(sha256=[0-9a-f]{64}|v1,[\w+/]{43}=)$/);
      expect(own).not.toBe(parley);
    }
    const [length] = await run("wc -c\n", rejected);
    expect(length?.trim()).toBe("53");
  });

  test("signs a request that a receiver accepts", async () => {
    const rejected = await reject(() => "");
    await run("--output", rejected);
    await run("attempts[-1]' delivery.json", rejected);
    const types: string[] = [];
    const onOther = ({ type }: { type: string }) => types.push(type);
    const receiver = await listen(receiveWebhooks({ secret: rejected.secret, on: {}, onOther }));
    try {
      await run("localhost:3000", rejected, (code) => code.replace("http://localhost:3000/", receiver.url));
    } finally {
      receiver.close();
    }
    expect(types).toEqual(["lead.created"]);
  });
});
