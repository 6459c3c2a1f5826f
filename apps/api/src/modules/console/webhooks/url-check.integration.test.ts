import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { respondingWith, startReceiver } from "@parley/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";
import { startVisitor, type Visitor } from "../testing/visitor.ts";

/** Starts a server that counts its connections. */
async function startCounter() {
  let connections = 0;
  const server = createServer((_, response) => response.end()).on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => server.close(),
  };
}

async function check(visitor: Visitor, target_url: string) {
  const fields = { target_url, types: "all", rate_limit: "7" };
  const page = await visitor.submit(await visitor.open("/console/webhooks/new"), "check", fields);
  expect(page.form("save").fields).toMatchObject(fields);
  expect(await visitor.read("/api/v1/webhooks")).toEqual([]);
  return page;
}

describe("“Check URL”", () => {
  let fixture: ConsoleFixture;
  let visitor: Visitor;
  beforeAll(async () => {
    fixture = await startConsole();
    visitor = await startVisitor(fixture);
  });
  afterAll(() => fixture.close());

  test("sends HEAD without data, reports the status, and creates nothing", async () => {
    const receiver = await startReceiver(respondingWith(405));
    const page = await check(visitor, receiver.url);
    expect(page.role("status")).toMatch(
      /^The server can be reached\. It responded to HEAD with 405 after \d+ ms\. Send a test event/,
    );
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ body: "", headers: { "user-agent": "Parley-Webhooks/1" } });
    const names = Object.keys(receiver.received[0]?.headers ?? {});
    expect(names.filter((name) => /parley|webhook|cookie|authorization/.test(name))).toEqual([]);
    await receiver.close();
  });

  test("does not follow redirects", async () => {
    const hidden = await startReceiver();
    const receiver = await startReceiver(respondingWith(302, { location: hidden.url }));
    expect((await check(visitor, receiver.url)).role("status")).toContain("with 302");
    expect(hidden.received).toEqual([]);
    await Promise.all([receiver.close(), hidden.close()]);
  });

  test("reports a refused connection", async () => {
    const { port, close } = await startCounter();
    close();
    const page = await check(visitor, `http://127.0.0.1:${port}/`);
    expect(page.text).toContain("The URL cannot be reached. connect: the connection was refused.");
  });

  test.each([
    ["not a URL", "Must be an absolute URL, for example https://example.com/webhooks."],
    ["", "Must be an absolute URL, for example https://example.com/webhooks."],
    ["http://example.com/", "Must be an https URL."],
    ["https://user@example.com/", "Must not contain a user name or password."],
    ["https://169.254.169.254/latest/meta-data", "Must not point to a private, local or reserved address."],
    ["https://[::ffff:10.0.0.1]/", "Must not point to a private, local or reserved address."],
  ])("rejects %j: %s", async (url, problem) => {
    expect((await check(visitor, url)).problem("target_url")).toBe(problem);
  });

  test("does not say whether an internal name exists", async () => {
    const strict = await startConsole({ WEBHOOKS_ALLOW_LOOPBACK: "false" });
    const other = await startVisitor(strict);
    const textOf = async (host: string) =>
      /The URL cannot be reached\.[^.]+\./.exec((await check(other, `https://${host}/`)).text)?.[0];
    expect(await textOf(hostname())).toMatch(
      /DNS: the host name (?:does not exist, or has a private, local or reserved address|could not be resolved)\.$/,
    );
    await strict.close();
  });

  test("can be used 20 times in ten minutes", async () => {
    const other = await startVisitor(fixture);
    const receiver = await startReceiver();
    for (let checks = 0; checks < 20; checks += 1)
      expect((await check(other, receiver.url)).role("status")).toContain("with 200");
    expect((await check(other, receiver.url)).problem("target_url")).toMatch(
      /^URLs were checked too often\. Try again in \d+ minutes\.$/,
    );
    expect(receiver.received).toHaveLength(20);
    await receiver.close();
  });

  test("works in the form of a webhook too, and does not save it", async () => {
    const receiver = await startReceiver();
    const other = await startVisitor(fixture);
    const fields = { target_url: "https://example.com/one", types: "all" };
    const created = await other.submit(await other.open("/console/webhooks/new"), "save", fields);
    const edit = await other.open(`${created.address}/edit`);
    const page = await other.submit(edit, "check", { target_url: receiver.url });
    expect([page.address, page.role("status")]).toEqual([
      edit.address,
      expect.stringContaining("HEAD with 200"),
    ]);
    expect(page.form("save").fields["target_url"]).toBe(receiver.url);
    expect(await other.read("/api/v1/webhooks")).toMatchObject([{ target_url: "https://example.com/one" }]);
    await receiver.close();
  });
});

test("“Check URL” opens no connection to a blocked address", async () => {
  const fixture = await startConsole({ WEBHOOKS_ALLOW_LOOPBACK: "false" });
  const visitor = await startVisitor(fixture);
  const counter = await startCounter();
  for (const host of ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
    const page = await check(visitor, `https://${host}:${counter.port}/`);
    expect([host, page.problem("target_url")]).toEqual([
      host,
      "Must not point to a private, local or reserved address.",
    ]);
  }
  expect(counter.connections()).toBe(0);
  counter.close();
  await fixture.close();
});
