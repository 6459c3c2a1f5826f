/** Runs the programs of the reference's chapters against a server. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { conformingFetch } from "@parley/contract/testing";
import { samples } from "@parley/docs/chapters";
import { Parley } from "@parley/sdk";
import { receiveWebhooks } from "@parley/sdk/webhooks/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type ExampleServer, startExampleServer } from "./example-server.ts";
import { programFolder } from "./run.ts";

let server: ExampleServer;
const chapterPrograms = programFolder();

beforeAll(async () => {
  server = await startExampleServer();
});
beforeEach(() => server.renew());
afterAll(async () => {
  chapterPrograms.remove();
  await server.close();
});

const here = (code: string) => code.replaceAll("http://127.0.0.1:8080", server.url);

/** Programs that run on their own; apps/docs runs the receivers. */
const programs = samples.filter(
  ({ chapter, language }) =>
    language === "ts" &&
    ["quick-start", "errors", "lists", "develop-locally", "failures", "console-links"].includes(chapter),
);

/** `fetch` for servers that are not in the contract. */
const plainFetch = globalThis.fetch;

describe("programs", () => {
  const fetch = conformingFetch();
  beforeEach(() => {
    vi.stubEnv("ACCESS_TOKEN", server.tenant.token);
    vi.stubEnv("PARLEY_URL", server.url);
    vi.stubEnv("PARLEY_TOKEN", server.tenant.token);
    vi.stubGlobal("fetch", fetch);
    vi.spyOn(console, "log").mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const run = (heading: string, text = "") => {
    const program = programs.find((each) => each.heading === heading && each.code.includes(text));
    return chapterPrograms.run(`${heading}${text}`.replaceAll(/\W/g, "-"), here(program?.code ?? "missing"));
  };

  test.each([
    ["Use the SDK in a program", "listLeads 200"],
    ["Paginate a list", "listTickets 200"],
    ["Use idempotency keys", "createTicket 201"],
  ])("%s", async (heading, call) => {
    await run(heading);
    expect(fetch.exercised).toContain(call);
  });

  test("polling finds each change once", async () => {
    const { follow } = (await run("Poll for changes")) as {
      follow: (since: string, store: (cursor: string) => Promise<void>) => Promise<void>;
    };
    const leads = await server.db.lead.count();
    expect(leads).toBeGreaterThan(0);
    const cursors: string[] = [];
    const whole = follow("1970-01-01T00:00:00Z", async (cursor) => {
      cursors.push(cursor);
      if (cursors.length === leads) throw new Error("seen all");
    });
    await expect(whole).rejects.toThrow("seen all");
    expect(console.log).toHaveBeenCalledTimes(leads);
    expect(new Set(cursors).size).toBe(leads);
  });

  test("reading the events continues at the stored cursor", async () => {
    const { follow } = (await run("Read events without a webhook")) as {
      follow: (since: string, store: (cursor: string) => Promise<void>) => Promise<void>;
    };
    const cursorAfterNext = async (since: string) => {
      let stored = "";
      const whole = follow(since, async (cursor) => {
        stored = cursor;
        throw new Error("seen one");
      });
      await expect(whole).rejects.toThrow("seen one");
      return stored;
    };
    const cursor = await cursorAfterNext("1970-01-01T00:00:00Z");
    const parley = new Parley({ baseUrl: server.url, accessToken: server.tenant.token });
    const { data: chatbots } = await parley.chatbots.list({ limit: 1 });
    const contact = { name: "Grace Hopper" };
    const { data } = await parley.leads.create({ chatbot_id: chatbots[0]?.id ?? "", contact });
    await cursorAfterNext(cursor);
    expect(console.log).toHaveBeenLastCalledWith("lead.created", data.id);
  });

  test("a test of an integration passes without a server", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const before = fetch.exercised.size;
    await run("Test your integration", "fakeFetch");
    expect(fetch.exercised.size).toBe(before);
  });

  test("a test with a server gets the events that happen", async () => {
    const { withEvents } = (await run("Test your integration", "forwardEvents")) as {
      withEvents: (to: string, secret: string, test: (parley: Parley) => Promise<void>) => Promise<void>;
    };
    const secret = "parley_ws_test";
    const received: string[] = [];
    const receiver = createServer(
      receiveWebhooks({ secret, on: {}, onOther: ({ type }) => received.push(type) }),
    );
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    const { port } = receiver.address() as AddressInfo;
    await withEvents(`http://127.0.0.1:${port}`, secret, async (parley) => {
      await parley.tickets.create({ subject: "No invoice" });
      await vi.waitFor(() => expect(received).toEqual(["ticket.created"]), { timeout: 30_000 });
    });
    receiver.closeAllConnections();
    receiver.close();
  });

  test("a server redirects a customer to the console", async () => {
    vi.stubEnv("PARLEY_PLATFORM_KEY", server.platformKey);
    vi.stubEnv("ORGANIZATION", server.tenant.organizationId);
    vi.stubEnv("PORT", "0");
    const { server: platform } = (await run("Redirect your customer")) as { server: Server };
    if (!platform.listening) await once(platform, "listening");
    const { port } = platform.address() as AddressInfo;
    const response = await plainFetch(`http://127.0.0.1:${port}`, { redirect: "manual" });
    expect(response.status).toBe(303);
    expect((await fetch(response.headers.get("location") ?? "")).status).toBe(303);
    platform.close();
  });

  test("covers all programs", () => {
    expect(programs).toHaveLength(8);
  });
});
