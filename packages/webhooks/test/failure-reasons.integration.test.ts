import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpClient } from "../src/index.ts";
import {
  type DeliveryFixture,
  type Receiver,
  readSubscription,
  respondingWith,
  startDeliveryFixture,
  startReceiver,
  subscriptionBecomes,
} from "../src/testing/index.ts";

// `failure_reason` of a subscription, and the error of the attempt in its log, for each kind of failure.

let fixture: DeliveryFixture;
const receivers: Receiver[] = [];
const servers: Server[] = [];
const strict = createHttpClient({ connectTimeoutMs: 1_000, allowLoopback: false });
beforeAll(async () => {
  fixture = await startDeliveryFixture();
  await fixture.startWorker({ timeoutMs: 400 });
});
afterAll(async () => {
  await fixture.close();
  await strict.destroy();
  for (const receiver of receivers) await receiver.close();
  for (const server of servers) server.close();
});

async function receiverThat(response: Receiver["respond"]): Promise<string> {
  const receiver = await startReceiver(response);
  receivers.push(receiver);
  return receiver.url;
}

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
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

const kinds: [kind: string, url: () => Promise<string>, reason: RegExp][] = [
  ["a status", () => receiverThat(respondingWith(500)), /^the receiver responded with 500$/],
  [
    "a redirect",
    () => receiverThat(respondingWith(302, { location: "/" })),
    /^the receiver responded with 302$/,
  ],
  ["timeout", () => receiverThat(() => {}), /^timeout: no response within 400 ms$/],
  [
    "a closed connection",
    () => receiverThat((response) => response.destroy()),
    /^connection: closed by the receiver/,
  ],
  ["DNS", async () => "https://no-such-host.invalid/", /^DNS: the host name /],
  [
    "DNS of a long name",
    async () => `https://${"a".repeat(300)}.example.com/`,
    /^DNS: not a valid host name$/,
  ],
  ["connect", async () => `http://127.0.0.1:${await closedPort()}/`, /^connect: the connection was refused$/],
  [
    "TLS",
    async () => `https://localhost:${await portOf(selfSigned())}/`,
    /^TLS: the certificate is self-signed$/,
  ],
  [
    "a server without TLS",
    async () => (await receiverThat(respondingWith(200))).replace("http:", "https:"),
    /^TLS: (wrong version number|packet length too long)$/,
  ],
];

test.each(kinds)("%s", async (_kind, url, reason) => {
  const { id } = await fixture.subscribe(await url());
  await fixture.publish(1);
  await subscriptionBecomes(fixture, id, { failureCount: 1 });
  expect((await readSubscription(fixture, id)).failureReason).toMatch(reason);
  const attempt = await fixture.db.deliveryAttempt.findFirstOrThrow({ where: { subscriptionId: id } });
  expect(attempt).toMatchObject({ outcome: "failed", error: expect.stringMatching(reason) });
  await fixture.db.subscription.delete({ where: { id } });
});

test("a blocked address", async () => {
  const other = await startDeliveryFixture();
  const { id } = await other.subscribe("https://localhost:1/");
  await other.startWorker({ client: strict });
  await other.publish(1);
  await subscriptionBecomes(other, id, { failureCount: 1 });
  expect((await readSubscription(other, id)).failureReason).toMatch(
    /^blocked address: localhost is or resolves to /,
  );
  await other.close();
});
