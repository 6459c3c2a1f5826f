import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test, vi } from "vitest";
import { attempt } from "../src/delivery/attempt.ts";
import { createHttpClient } from "../src/index.ts";
import { type RawReceiver, repeat, startRawReceiver } from "./raw-receiver.ts";

/** Limit for attempts without a response. */
const timeoutMs = 300;
/** Limit for attempts whose response begins and lasts until it. It is longer, because a busy machine may delay the beginning. */
const bodyTimeoutMs = 2_000;
/** Limit for attempts that end before their timeout. */
const longTimeoutMs = 60_000;
const client = createHttpClient({ connectTimeoutMs: longTimeoutMs, allowLoopback: true });
afterAll(() => client.destroy());

const ok = "HTTP/1.1 200 OK\r\n";
const endless = `${ok}content-length: 1000000000\r\n\r\n`;
const late = `timeout: no response within ${timeoutMs} ms`;

/** Responds to a request with one text, and then repeatedly with another. */
function respondingWith(first: string, again: string | Buffer = "", everyMs = 20): (socket: Socket) => void {
  return (socket) =>
    socket.once("data", () => {
      socket.write(first);
      if (again) repeat(socket, again, everyMs);
    });
}

const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const tooLong = "response: the headers are too long";
const notHttp = "response: not valid HTTP";
const closed = "connection: closed by the receiver before it responded";
const upgrade = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";

interface Hostile {
  /** Reason why the attempt failed; null if it succeeded. */
  error: string | null;
  /** Whether the attempt lasts until its timeout. */
  lasts?: true;
  does: (socket: Socket) => void;
}

const hostile: Record<string, Hostile> = {
  "sends nothing": { error: late, lasts: true, does: () => {} },
  "never ends a header": { error: late, lasts: true, does: respondingWith(`${ok}x-a: `, "a") },
  "never ends its headers": { error: late, lasts: true, does: respondingWith(ok, "x-a: b\r\n") },
  "sends a huge header": { error: tooLong, does: respondingWith(`${ok}x-a: ${"a".repeat(1_000_000)}`) },
  "sends many headers": { error: tooLong, does: respondingWith(ok + "x-a: b\r\n".repeat(100_000)) },
  "sends its body a byte at a time": { error: null, lasts: true, does: respondingWith(endless, "x") },
  "never begins its body": { error: null, lasts: true, does: respondingWith(endless) },
  "never ends its body": { error: null, does: respondingWith(endless, "x".repeat(65_536), 1) },
  "never ends a chunk's size": {
    error: null,
    lasts: true,
    does: respondingWith(`${chunked}1;`, "a".repeat(1_000)),
  },
  "never ends its trailers": {
    error: null,
    does: respondingWith(`${chunked}0\r\n`, `x-a: ${"a".repeat(1_000)}\r\n`, 1),
  },
  "sends interim responses forever": {
    error: "response: too many interim responses (status 1xx)",
    does: respondingWith("", "HTTP/1.1 103 Early Hints\r\n\r\n", 1),
  },
  "switches to another protocol": { error: closed, does: respondingWith(upgrade) },
  "is not HTTP": { error: notHttp, does: (socket) => socket.write("220 mail.example.com ESMTP\r\n") },
  "sends two lengths": {
    error: "response: the body does not match Content-Length",
    does: respondingWith(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
  },
  "closes in the middle of its headers": {
    error: closed,
    does: (socket) => socket.once("data", () => socket.end(ok)),
  },
  "closes in the middle of its body": {
    error: null,
    does: (socket) => socket.once("data", () => socket.end(`${endless}x`)),
  },
  resets: { error: closed, does: (socket) => socket.once("data", () => socket.resetAndDestroy()) },
};

function post(receiver: RawReceiver, options: Partial<Parameters<typeof attempt>[1]> = {}, through = client) {
  const url = `http://${receiver.host}/`;
  return attempt(through, { url, headers: {}, body: "{}", timeoutMs: longTimeoutMs, ...options });
}

/** Waits until the receiver has lost every connection, and closes it. */
async function disconnected(receiver: RawReceiver): Promise<void> {
  await vi.waitFor(() => expect(receiver.open()).toBe(0), { timeout: 30_000, interval: 5 });
  await receiver.close();
}

// Concurrently, because most of them wait for a timeout.
describe.concurrent("an attempt ends within its timeout and closes its connection if the receiver", () => {
  test.each(Object.entries(hostile))("%s", async (_what, { does, error, lasts = false }) => {
    const receiver = await startRawReceiver(does);
    const startedAt = performance.now();
    const lasting = { timeoutMs: error === null ? bodyTimeoutMs : timeoutMs };
    const result = await post(receiver, lasts ? lasting : {});
    expect(performance.now() - startedAt).toBeLessThan(longTimeoutMs);
    expect(result.error).toBe(error);
    expect(result.responseBody?.length ?? 0).toBeLessThanOrEqual(1024);
    await disconnected(receiver);
  });

  test.each<[string, (socket: Socket) => void]>([
    ["never begins TLS", () => {}],
    [
      "sends the TLS handshake a byte at a time",
      (socket) => repeat(socket, Buffer.from([0x16, 3, 3, 0x40, 0]), 50, 5),
    ],
  ])("%s", async (_what, does) => {
    const receiver = await startRawReceiver(does);
    const hasty = createHttpClient({ connectTimeoutMs: 200, allowLoopback: true });
    const { error } = await post(receiver, { url: `https://${receiver.host}/` }, hasty);
    expect(error).toBe("connect: timed out");
    await disconnected(receiver);
    await hasty.destroy();
  });

  test("does not read the request", async () => {
    const receiver = await startRawReceiver((socket) => socket.pause());
    expect((await post(receiver, { body: "x".repeat(20_000_000), timeoutMs })).error).toBe(late);
    receiver.resume(); // A socket must be read to detect that the other side closed it.
    await disconnected(receiver);
  });
});

test("requests no compressed response and does not decompress one", async () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  expect(bomb.length).toBeLessThan(64 * 1024);
  const receiver = await startRawReceiver(
    respondingWith(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
  );
  const { delivered: arrived, responseBody } = await post(receiver);
  expect(arrived).toBe(true);
  expect(responseBody).toBe(bomb.subarray(0, 1024).toString("utf8").replaceAll("\0", "\uFFFD"));
  expect(receiver.received[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
  expect(receiver.received[0]).not.toMatch(/accept-encoding/i);
  await receiver.close();
});

test("does not reuse a connection with a response that was too long", async () => {
  const receiver = await startRawReceiver(respondingWith(`${endless}${"x".repeat(70_000)}`));
  await post(receiver);
  await post(receiver);
  expect(receiver.received).toHaveLength(2);
  await receiver.close();
});
