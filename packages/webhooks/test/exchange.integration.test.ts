/** What an attempt tells about its request, its connection and its response. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeTestFolder } from "@parley/testing/test-folder";
import type { Dispatcher } from "undici";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type AttemptResult, attempt } from "../src/delivery/attempt.ts";
import { type ConnectionSlot, connectingFor, measureConnection } from "../src/delivery/connections.ts";
import type { Lookup } from "../src/delivery/fair-lookup.ts";
import { createHttpClient } from "../src/index.ts";
import { holding, type Receiver, startReceiver } from "../src/testing/index.ts";

let client: Dispatcher;
afterEach(() => client?.destroy());

const resolvesTo =
  (...addresses: string[]): Lookup =>
  (_hostname, _options, callback) =>
    setTimeout(
      () =>
        callback(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        ),
      100,
    );

function connectThrough(lookup?: Lookup): void {
  client = createHttpClient({
    connectTimeoutMs: 1_000,
    allowLoopback: true,
    ...(lookup && { lookup }),
  });
}

function post(url: string): Promise<AttemptResult> {
  return attempt(client, { url, headers: {}, body: "{}", timeoutMs: 5_000 });
}

async function startTestReceiver(respond?: Receiver["respond"]): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  onTestFinished(() => receiver.close());
  return receiver;
}

test("measures DNS and connecting, but not if the attempt uses an open connection", async () => {
  const receiver = await startTestReceiver();
  connectThrough(resolvesTo("127.0.0.1"));
  const url = receiver.url.replace("127.0.0.1", "hooks.example.com");
  const first = await post(url);
  expect(first.connection).toEqual({
    addresses: ["127.0.0.1"],
    dnsMs: expect.any(Number),
    connectMs: expect.any(Number),
    tlsMs: null,
  });
  expect(first.connection?.dnsMs).toBeGreaterThan(10);
  await new Promise(setImmediate); // Until then, the connection is not free.
  expect((await post(url)).connection).toBe(null);
});

test("tells concurrent attempts on different connections apart", async () => {
  const { respond, release } = holding();
  const [slow, fast] = [await startTestReceiver(respond), await startTestReceiver()];
  connectThrough(resolvesTo("127.0.0.1"));
  const waiting = post(slow.url.replace("127.0.0.1", "slow.example.com"));
  const results = await Promise.all([1, 2, 3].map(() => post(fast.url)));
  for (const { connection } of results) expect(connection).toMatchObject({ addresses: ["127.0.0.1"] });
  release((response) => response.end());
  expect((await waiting).connection?.dnsMs).toBeGreaterThan(10);
});

test("lists every address that was tried", async () => {
  const receiver = await startTestReceiver();
  connectThrough(resolvesTo("127.0.0.2", "127.0.0.1"));
  const { connection, delivered } = await post(receiver.url.replace("127.0.0.1", "hooks.example.com"));
  expect([delivered, connection?.addresses]).toEqual([true, ["127.0.0.2", "127.0.0.1"]]);
});

test("lists the addresses of a refused connection, and none if the name does not resolve or is blocked", async () => {
  connectThrough();
  expect((await post("http://127.0.0.1:9/")).connection).toMatchObject({
    addresses: ["127.0.0.1"],
    connectMs: null,
  });
  expect((await post("http://does-not-exist.invalid/")).connection?.addresses ?? []).toEqual([]);
  expect((await post("http://10.0.0.1/")).connection?.addresses ?? []).toEqual([]);
});

test("keeps the headers of a response that fit in 1 KiB, and the time of its first byte", async () => {
  const receiver = await startTestReceiver((response) =>
    response.writeHead(500, { "x-first": "é", "x-list": ["a", "b"], "x-long": "x".repeat(2_000) }).end(),
  );
  connectThrough();
  const { responseHeaders, firstByteMs } = await post(receiver.url);
  expect(firstByteMs).toBeGreaterThanOrEqual(0);
  expect(responseHeaders).toContain("\nx-list:a, b");
  expect(responseHeaders).not.toContain("x-long");
});

test("has headers and the time of the first byte if there was a response", async () => {
  const receiver = await startTestReceiver((response) => response.setHeader("x-id", "7").end());
  connectThrough();
  const { responseHeaders, firstByteMs } = await post(receiver.url);
  expect([responseHeaders?.includes("x-id:7"), typeof firstByteMs]).toEqual([true, "number"]);
  expect(await post("http://127.0.0.1:9/")).toMatchObject({ responseHeaders: null, firstByteMs: null });
});

test("measures TLS separately from connecting", async () => {
  const { key, cert } = createCertificate("hooks.example.com");
  const trusted = getCACertificates("default");
  setDefaultCACertificates([cert]);
  const server = createServer({ key, cert }, (_request, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => {
    setDefaultCACertificates(trusted);
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  connectThrough(resolvesTo("127.0.0.1"));
  const { connection, error } = await post(
    `https://hooks.example.com:${(server.address() as AddressInfo).port}/`,
  );
  expect(error).toBe(null);
  expect(connection).toMatchObject({ connectMs: expect.any(Number), tlsMs: expect.any(Number) });
  setDefaultCACertificates(trusted);
  await client.destroy();
  connectThrough(resolvesTo("127.0.0.1"));
  const refused = await post(`https://hooks.example.com:${(server.address() as AddressInfo).port}/`);
  expect(refused.error).toBe("TLS: the certificate is self-signed");
  expect(refused.connection).toMatchObject({ connectMs: expect.any(Number), tlsMs: null });
});

test("hides addresses of the operator's network", () => {
  const socket = new Socket();
  const slot: ConnectionSlot = { connection: null };
  connectingFor(slot, () => measureConnection(socket, (address) => address !== "10.0.0.1"));
  socket.emit("connectionAttempt", "10.0.0.1");
  socket.emit("connectionAttempt", "203.0.113.7");
  expect(slot.connection?.addresses).toEqual(["203.0.113.7"]);
});

/** Creates a self-signed certificate for a host. */
function createCertificate(host: string): { key: string; cert: string } {
  const folder = makeTestFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "1", "-nodes"];
  const keyType = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  execFileSync("openssl", ["req", "-x509", ...subject, ...keyType, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}
