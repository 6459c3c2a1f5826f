import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHttpClient } from "../src/index.ts";
import {
  type Receiver,
  readSubscription,
  respondingWith,
  subscriptionBecomes,
  useDeliveryFixture,
} from "../src/testing/index.ts";

// `failure_reason` of a subscription, and the error of the attempt in its log, for each kind of failure.

const { fixture, receiver } = useDeliveryFixture();

function receiverThat(respond: Receiver["respond"]): string {
  receiver.respond = respond;
  return receiver.url;
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a server with a self-signed certificate. */
function selfSigned(): Server {
  const folder = mkdtempSync(join(tmpdir(), "parley-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost";
  execFileSync("openssl", [...request.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) });
  rmSync(folder, { recursive: true });
  return server;
}

const timeoutMs = 300;
const timeout = /^timeout: no response within 300 ms$/;

const kinds: [kind: string, url: () => string | Promise<string>, reason: RegExp][] = [
  ["a status", () => receiverThat(respondingWith(500)), /^the receiver responded with 500$/],
  [
    "a redirect",
    () => receiverThat(respondingWith(302, { location: receiver.url })),
    /^the receiver responded with 302$/,
  ],
  ["timeout", () => receiverThat(() => {}), timeout],
  ["timeout of TLS", async () => `https://127.0.0.1:${await portOf(createServer())}/`, timeout],
  [
    "a closed connection",
    () => receiverThat((response) => response.destroy()),
    /^connection: closed by the receiver before it responded$/,
  ],
  ["DNS", () => "https://no-such-host.invalid/", /^DNS: the host name /],
  ["DNS of a long name", () => `https://${"a".repeat(300)}.example.com/`, /^DNS: not a valid host name$/],
  ["connect", async () => `http://127.0.0.1:${await closedPort()}/`, /^connect: the connection was refused$/],
  [
    "TLS",
    async () => `https://localhost:${await portOf(selfSigned())}/`,
    /^TLS: the certificate is self-signed$/,
  ],
  [
    "a server without TLS",
    () => receiverThat(respondingWith(200)).replace("http:", "https:"),
    /^TLS: (wrong version number|packet length too long)$/,
  ],
];

test.each(kinds)("%s", async (_kind, url, reason) => {
  const { id } = await fixture.subscribe(await url());
  await fixture.publish(1);
  await fixture.startWorker(reason === timeout ? { timeoutMs } : {});
  await subscriptionBecomes(fixture, id, { failureCount: 1 });
  expect((await readSubscription(fixture, id)).failureReason).toMatch(reason);
  const attempt = await fixture.db.deliveryAttempt.findFirstOrThrow();
  expect(attempt).toMatchObject({ outcome: "failed", error: expect.stringMatching(reason) });
  expect(receiver.received.length).toBeLessThanOrEqual(1); // A redirect is not followed.
});

test.each([
  ["127.0.0.1", () => receiver.url, "blocked address: 127.0.0.1 is a private, local or reserved address"],
  [
    "localhost",
    () => receiver.url.replace("127.0.0.1", "localhost"),
    "DNS: the host name does not exist, or has a private, local or reserved address",
  ],
])("a blocked address: %s", async (_host, url, reason) => {
  const client = createHttpClient({ connectTimeoutMs: 20_000, allowLoopback: false });
  const { id } = await fixture.subscribe(url());
  await fixture.startWorker({ client });
  await fixture.publish(1);
  await subscriptionBecomes(fixture, id, { failureCount: 1 });
  const { failureReason } = await readSubscription(fixture, id);
  expect(failureReason).toBe(reason);
  expect((await fixture.db.deliveryAttempt.findFirstOrThrow()).error).toBe(failureReason);
  expect(receiver.received).toHaveLength(0);
  await client.destroy();
});
