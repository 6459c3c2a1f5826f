import { isIP } from "node:net";
import os from "node:os";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { attempt } from "../src/delivery/attempt.ts";
import type { Lookup } from "../src/delivery/fair-lookup.ts";
import { type AddressPolicy, createHttpClient, targetUrlProblem, webhookVariables } from "../src/index.ts";
import { type Receiver, startReceiver } from "../src/testing/index.ts";

const strict: AddressPolicy = { allowLoopback: false };
const https = "must be an https URL";
const absolute = "must be an absolute URL, for example https://example.com/webhooks";
const credentials = "must not contain a user name or password";
const fragment = "must not contain a fragment (#…)";
const blocked = "must not point to a private, local or reserved address";

function ranges(text: string): AddressPolicy {
  const { WEBHOOKS_ALLOW_ADDRESSES } = z
    .object(webhookVariables)
    .pick({ WEBHOOKS_ALLOW_ADDRESSES: true })
    .parse({ WEBHOOKS_ALLOW_ADDRESSES: text });
  return { allowLoopback: false, allowedRanges: WEBHOOKS_ALLOW_ADDRESSES };
}

afterEach(() => vi.restoreAllMocks());

/** Addresses in any notation, which are rejected in subscriptions and again when connecting. */
const blockedHosts: [what: string, ...hosts: string[]][] = [
  ["loopback", "127.0.0.1", "127.255.255.254", "[::1]", "[0:0:0:0:0:0:0:1]"],
  ["short forms", "127.1", "127.0.1", "10.1", "0"],
  [
    "decimal, octal and hex",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0.0x0.1",
  ],
  ["trailing dots", "127.0.0.1.", "10.0.0.1.", "2130706433."],
  ["percent-encoded", "%31%32%37.0.0.1", "127%2E0%2E0%2E1", "%6c%6f%63alhost"],
  ["unicode", "１２７.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127．0．0．1", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"],
  ["localhost", "localhost", "LOCALHOST", "localhost.", "localhost..", "a.localhost", "a.b.LocalHost."],
  ["unspecified", "0.0.0.0", "0.1.2.3", "[::]", "[0:0:0:0:0:0:0:0]"],
  ["private", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "[fd00::1]", "[fc00::1]"],
  ["link-local", "169.254.1.1", "[fe80::1]", "[febf::1]", "[fec0::1]"],
  [
    "metadata services",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "192.0.0.192",
    "100.100.100.200",
    "168.63.129.16",
  ],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
  ["multicast and broadcast", "224.0.0.1", "239.255.255.250", "255.255.255.255", "[ff02::1]"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "[2001:db8::1]", "[3fff::1]"],
  [
    "benchmarking and reserved",
    "198.18.0.1",
    "240.0.0.1",
    "192.0.0.1",
    "[100::1]",
    "[2001:2::1]",
    "[5f00::1]",
  ],
  ["IPv4-mapped", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:a00:1]", "[::ffff:169.254.169.254]"],
  ["IPv4-compatible", "[::127.0.0.1]", "[::7f00:1]", "[::a9fe:a9fe]"],
  ["IPv4-translated", "[::ffff:0:127.0.0.1]"],
  ["NAT64", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::a9fe:a9fe]"],
  ["6to4", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]"],
  ["Teredo", "[2001:0:7f00:1::]", "[2001::1]"],
  ["unassigned IPv6", "[4000::1]", "[abcd::1]", "[fe00::1]"],
];

describe("rejects target URLs of subscriptions", () => {
  test.each(blockedHosts)("%s", (_what, ...hosts) => {
    for (const host of hosts)
      expect([host, targetUrlProblem(`https://${host}:8443/x`, strict)]).toEqual([host, blocked]);
  });

  test.each([
    ["http://hooks.example.com/", https],
    ["http://127.0.0.1/", https],
    ["http://localhost:8080/", https],
    ["ftp://hooks.example.com/", https],
    ["file:///etc/passwd", https],
    ["gopher://127.0.0.1:6379/_INFO", https],
    ["unix://var/run/docker.sock", https],
    ["ws://hooks.example.com/", https],
    ["javascript:alert(1)", absolute],
    ["data:text/plain,x", absolute],
    ["https:example.com", absolute],
    ["https:\\\\example.com\\", absolute],
    ["//example.com/", absolute],
    ["/relative", absolute],
    ["", absolute],
    [" https://example.com/", absolute],
    ["https://", absolute],
    ["https://exa mple.com/", absolute],
    ["https://256.0.0.1/", absolute],
    ["https://1.2.3.4.5/", absolute],
    ["https://[::1", absolute],
    ["https://[fe80::1%25eth0]/", absolute],
    ["https://example.com:65536/", absolute],
    ["https://localhost%00.example.com/", absolute],
    ["https://127.0.0.1%2f.example.com/", absolute],
    ["https://user:pass@example.com/", credentials],
    ["https://@example.com/", credentials],
    ["https://:@example.com/", credentials],
    ["https:///user@example.com/", credentials],
    ["https://example.com@127.0.0.1/", credentials],
    ["https://1.1.1.1 &@127.0.0.1/", credentials],
    ["https://example.com/#part", fragment],
    ["https://example.com/#", fragment],
    ["https://example.com#@127.0.0.1/", fragment],
  ])("%s", (url, problem) => {
    expect(targetUrlProblem(url, strict)).toBe(problem);
  });

  test("when it is a public address of this machine", () => {
    const own = { address: "8.8.4.4" } as os.NetworkInterfaceInfo;
    vi.spyOn(os, "networkInterfaces").mockReturnValue({ eth0: [own] });
    expect(targetUrlProblem("https://8.8.4.4/", strict)).toBe(blocked);
    expect(targetUrlProblem("https://[::ffff:8.8.4.4]/", strict)).toBe(blocked);
    expect(targetUrlProblem("https://8.8.8.8/", strict)).toBeNull();
    expect(targetUrlProblem("https://8.8.4.4/", { allowLoopback: true })).toBeNull();
  });
});

test.each([
  "https://hooks.example.com/parley?x=1",
  "https://hooks.example.com:8443/",
  "https://HOOKS.example.com./",
  "https://例え.jp/",
  "https://notlocalhost/",
  "https://localhost.example.com/",
  "https://127.0.0.1.example.com/", // The resolved address is checked at the connection.
  "https://8.8.8.8/",
  "https://[::ffff:8.8.8.8]/",
  "https://[2606:4700:4700::1111]/",
  "https://example.com/@127.0.0.1/",
])("%s can be subscribed to", (url) => {
  expect(targetUrlProblem(url, strict)).toBeNull();
});

describe("this machine", () => {
  const lenient: AddressPolicy = { allowLoopback: true };

  test("can be allowed, also over http, without allowing other addresses", () => {
    for (const url of ["http://127.0.0.1:9000/", "http://localhost:9000/", "https://[::1]/"]) {
      expect(targetUrlProblem(url, lenient)).toBeNull();
    }
    expect(targetUrlProblem("http://example.com/", lenient)).toBe(https);
    for (const host of ["10.0.0.1", "0.0.0.0", "[::]", "169.254.169.254", "[2002:7f00:1::]"]) {
      expect(targetUrlProblem(`https://${host}/`, lenient)).toBe(blocked);
    }
  });
});

describe("WEBHOOKS_ALLOW_ADDRESSES", () => {
  test("allows its ranges, only with https", () => {
    const policy = ranges("10.20.0.0/16, fd00:1::/32,127.0.0.1/32");
    for (const host of ["10.20.255.1", "[::ffff:10.20.0.1]", "[fd00:1::7]", "127.0.0.1", "localhost"]) {
      expect([host, targetUrlProblem(`https://${host}/`, policy)]).toEqual([host, null]);
      expect(targetUrlProblem(`http://${host}/`, policy)).toBe(https);
    }
    for (const host of [
      "10.21.0.1",
      "[fd00:2::7]",
      "127.0.0.2",
      "[::1]",
      "[64:ff9b::10.20.0.1]",
      "169.254.169.254",
    ]) {
      expect([host, targetUrlProblem(`https://${host}/`, policy)]).toEqual([host, blocked]);
    }
  });

  test.each([
    ["10.20.0.0", "10.20.0.0 is not an address range like 10.20.0.0/16 or fd00:1::/32"],
    ["10.20.0.0/33", "10.20.0.0/33 is not an address range like 10.20.0.0/16 or fd00:1::/32"],
    ["10.20/16", "10.20/16 is not an address range like 10.20.0.0/16 or fd00:1::/32"],
    ["fe80::1%eth0/64", "must be address ranges separated by commas"],
    ["hooks.internal/8", "must be address ranges separated by commas"],
    ["10.0.0.0/8,", " is not an address range like 10.20.0.0/16 or fd00:1::/32"],
    ["10.20.0.7/16", "10.20.0.7/16 does not begin with its first address. Write 10.20.0.0/16"],
    ["::ffff:10.0.0.0/104", "::ffff:10.0.0.0/104 must be written in IPv4 notation, for example 10.20.0.0/16"],
  ])("rejects %s", (text, message) => {
    expect(() => ranges(text)).toThrow(message);
  });
});

describe("rejects a connection", () => {
  let receiver: Receiver;
  let port: string;
  beforeEach(async () => {
    receiver = await startReceiver((response) => response.setHeader("connection", "close").end());
    port = new URL(receiver.url).port;
  });
  afterEach(() => receiver.close());

  /** Attempts once, with the given DNS results, one per lookup. */
  async function send(url: string, policy: AddressPolicy, ...resolutions: string[][]): Promise<string[]> {
    const lookup: Lookup = (_name, _options, callback) => {
      const addresses = resolutions.shift() ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
    const client = createHttpClient({ ...policy, connectTimeoutMs: 1_000, lookup });
    const errors: string[] = [];
    for (let times = Math.max(resolutions.length, 1); times > 0; times -= 1) {
      const result = await attempt(client, { url, headers: {}, body: "{}", timeoutMs: 2_000 });
      errors.push(result.error ?? "delivered");
    }
    await client.destroy();
    return errors;
  }

  const refused = (host: string) =>
    isIP(host)
      ? `blocked address: ${host} is a private, local or reserved address`
      : "DNS: the host name does not exist, or has a private, local or reserved address";

  test.each(blockedHosts)("to %s", async (_what, ...hosts) => {
    for (const host of hosts) {
      const url = `http://${host}:${port}/`;
      const plain = new URL(url).hostname.replace(/^\[|\]$/g, "");
      expect(await send(url, strict, ["127.0.0.1"])).toEqual([refused(plain)]);
    }
    expect(receiver.received).toHaveLength(0);
  });

  test("to a name that also resolves to such an address, and does not reveal the address", async () => {
    const url = `http://hooks.example.com:${port}/`;
    for (const addresses of [
      ["127.0.0.1"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      ["8.8.8.8", "127.0.0.1"],
      ["127.0.0.1", "8.8.8.8"],
      ["2606:4700::1", "8.8.8.8", "10.0.0.1"],
    ]) {
      expect(await send(url, strict, addresses)).toEqual([refused("hooks.example.com")]);
    }
    expect(receiver.received).toHaveLength(0);
  });

  test("to a name that resolved to an allowed address before (DNS rebinding)", async () => {
    // 127.0.0.1 represents a public address here; only it is allowed.
    const rebinding = [["127.0.0.1"], ["::1"], ["127.0.0.1"], ["127.0.0.1", "::1"]];
    const url = `http://rebinding.example.com:${port}/`;
    const no = refused("rebinding.example.com");
    expect(await send(url, ranges("127.0.0.1/32"), ...rebinding)).toEqual(["delivered", no, "delivered", no]);
    expect(receiver.received).toHaveLength(2);
  });

  test("as the system resolves localhost", async () => {
    const client = createHttpClient({ ...strict, connectTimeoutMs: 1_000 });
    const request = { url: `http://localhost:${port}/`, headers: {}, body: "{}", timeoutMs: 2_000 };
    expect((await attempt(client, request)).error).toBe(refused("localhost"));
    await client.destroy();
  });

  test("after a redirect, which is never followed", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `http://169.254.169.254:${port}/latest/meta-data`;
      receiver.respond = (response) => response.writeHead(status, { location, connection: "close" }).end();
      expect(await send(receiver.url, ranges("127.0.0.1/32"))).toEqual([
        `the receiver responded with ${status}`,
      ]);
    }
    expect(receiver.received).toHaveLength(5);
  });
});
