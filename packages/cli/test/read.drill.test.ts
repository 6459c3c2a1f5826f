import { readOperations } from "@parley/contract/read-operations";
import { Parley } from "@parley/sdk";
import { type Demo, startDemo } from "@parley/standalone/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLine, type TestCommandLine } from "./support/command-line.ts";
import { startReceiver } from "./support/receiver.ts";

let demo: Demo;
let parley: Parley;
let cli: TestCommandLine;
/** IDs of the demo's records, by the first word of the command. */
let ids: Record<string, string[]>;
beforeAll(async () => {
  demo = await startDemo();
  parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
  cli = commandLine({ PARLEY_URL: demo.url, PARLEY_TOKEN: demo.token });
  const { data: subscription } = await parley.webhooks.subscribe({
    target_url: "http://127.0.0.1:9/",
    event_types: ["lead.created"],
  });
  const first = async (list: PromiseLike<{ data: { id: string }[] }>) => (await list).data[0]?.id ?? "";
  const chatbot = await first(parley.chatbots.list());
  await parley.leads.create({ chatbot_id: chatbot, contact: {} });
  const { data: redelivery } = await parley.webhooks.redeliverRange(subscription.id, {
    since: "2026-01-01T00:00:00Z",
  });
  ids = {
    chatbots: [chatbot],
    conversations: [await first(parley.conversations.list())],
    leads: [await first(parley.leads.list())],
    tickets: [await first(parley.tickets.list())],
    meetings: [await first(parley.meetings.list())],
    events: [await first(parley.events.list())],
    webhooks: [subscription.id, await first(parley.webhooks.deliveries(subscription.id))],
    redelivery: [subscription.id, redelivery.id],
  };
});
afterAll(() => demo.stop());

describe.each(readOperations.map((operation) => ({ ...operation, name: operation.command.join(" ") })))(
  "$name",
  ({ command, pathParameters, queryParameters }) => {
    const args = () => [
      ...command,
      ...(ids[command[1] ?? ""] ?? ids[command[0] ?? ""] ?? []).slice(0, pathParameters.length),
      ...(command[1] === "samples" ? ["--type", "lead.created"] : []),
    ];

    test("prints the response as JSON, and as text", async () => {
      const json = await cli.run(...args(), "--json");
      expect([json.code, json.stderr]).toEqual([0, ""]);
      const { data, meta } = JSON.parse(json.stdout);
      expect(meta.api_version).toBe("2024-01-01");
      const [record] = [data].flat();
      const text = await cli.run(...args());
      expect([text.code, text.stdout]).toEqual([0, expect.stringContaining(record.id ?? "")]);
    });

    test("describes its arguments and options", async () => {
      const { stdout } = await cli.run(...command, "--help");
      for (const { name } of pathParameters) expect(stdout).toContain(`<${name.replaceAll("_", "-")}>`);
      for (const { name } of queryParameters)
        expect(stdout).toContain(`--${name.replaceAll("_", "-")} <value>`);
    });
  },
);

test("passes the options to the API, and shows how to get the next page", async () => {
  const { data, meta } = await parley.leads.list({ status: "new", limit: 2 });
  const { stdout } = await cli.run("leads", "list", "--status", "new", "--limit", "2");
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^ID +CONTACT\.NAME +CONTACT\.EMAIL/);
  expect(lines.slice(1, 3).map((line) => line.slice(0, 36))).toEqual(data.map(({ id }) => id));
  const next = /^2 of (\d+) shown\. Next page: --cursor (\S+)$/m.exec(stdout);
  expect(next?.[1]).toBe(String(meta.total));
  const second = await cli.run(
    "leads",
    "list",
    "--status",
    "new",
    "--limit",
    "2",
    "--cursor",
    next?.[2] ?? "",
  );
  expect(second.stdout).not.toContain(data[0]?.id);
});

test("repeats an option that accepts several values", async () => {
  const all = await cli.run(
    "events",
    "list",
    "--event-types",
    "lead.created",
    "--event-types",
    "ticket.created",
    "--json",
  );
  expect(JSON.parse(all.stdout).data.map(({ type }: { type: string }) => type)).toEqual(["lead.created"]);
  const other = await cli.run("events", "list", "--event-types", "ticket.created", "--json");
  expect(JSON.parse(other.stdout).data).toEqual([]);
});

test("prints the API's description of an invalid value", async () => {
  const { code, stderr } = await cli.run("leads", "list", "--limit", "500");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: .*limit.*100.* \(400, invalid_request, request .+\)\n$/),
  ]);
  const unknown = await cli.run("leads", "get", "missing");
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("404, not_found")]);
});

test("rejects an unknown command with the usage", async () => {
  const { code, stderr } = await cli.run("leeds");
  expect([code, stderr]).toEqual([2, expect.stringContaining("unknown command 'leeds'")]);
  expect((await cli.run("leads", "list", "--stauts", "new")).stderr).toContain("Did you mean --status?");
});

test("events tail prints events as they happen", async () => {
  const tail = cli.start("events", "tail");
  const json = cli.start("events", "tail", "--json", "--event-types", "ticket.created");
  let ticket = { id: "" };
  // Until both follow the feed.
  await expect
    .poll(
      async () => {
        ({ data: ticket } = await parley.tickets.create({ subject: "No invoice" }));
        return Promise.race([
          Promise.all([tail.output(/ticket\.created/), json.output(/\n/)]).then(() => "printed"),
          new Promise((resolve) => setTimeout(resolve, 500)),
        ]);
      },
      { timeout: 20_000 },
    )
    .toBe("printed");
  for (const command of [tail, json]) command.child.kill("SIGINT");
  const [lines, documents] = [await tail.ended(), await json.ended()];
  expect([lines.code, documents.code]).toEqual([0, 0]);
  expect(lines.stdout).toMatch(
    /^\d\d:\d\d:\d\d {2}ticket\.created {2,}[\da-f-]{36} {2}ticket [\da-f-]{36}$/m,
  );
  const [first = ""] = documents.stdout.split("\n");
  expect(JSON.parse(first)).toMatchObject({ type: "ticket.created", data: { type: "ticket" } });
  expect(ticket.id).not.toBe("");
});

test("webhooks test and redeliver send deliveries", async () => {
  const receiver = await startReceiver("parley_ws_unknown");
  receiver.failures = Number.POSITIVE_INFINITY;
  const { data } = await parley.webhooks.subscribe({
    target_url: receiver.url,
    event_types: ["ticket.created"],
  });
  const tested = await cli.run("webhooks", "test", data.id, "--event-type", "ticket.created");
  expect([tested.code, tested.stdout]).toEqual([1, expect.stringContaining("503")]);

  await parley.tickets.create({ subject: "No invoice" });
  const delivery = await parley.webhooks.deliveries(data.id);
  const deliveryId = delivery.data[0]?.id ?? "";
  const testId = delivery.data.find(({ attributes }) => attributes.test)?.id ?? "";
  const shown = await cli.run("webhooks", "delivery", data.id, testId);
  expect(shown.stdout).toMatch(/^attempts\.1\.status_code +503$/m);
  expect(shown.stdout).toMatch(/^attempts\.1\.request\.headers\.x-parley-signature +sha256=/m);
  const again = await cli.run("webhooks", "redeliver", data.id, deliveryId);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("ticket.created")]);
  const range = await cli.run("webhooks", "redeliver", data.id, "--since", "1h", "--json");
  expect([range.code, JSON.parse(range.stdout).data]).toEqual([
    0,
    expect.objectContaining({ status: "exhausted", finished_at: expect.any(String) }),
  ]);
  const neither = await cli.run("webhooks", "redeliver", data.id);
  expect([neither.code, neither.stderr]).toEqual([
    2,
    expect.stringContaining("Name either a delivery, or a time range"),
  ]);
  await parley.webhooks.delete(data.id);
});

test("webhooks rotate-signing-key creates a key, and explains that a subscription must use it", async () => {
  const without = await cli.run("webhooks", "rotate-signing-key");
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("has no signing key yet")]);
  const { data } = await parley.webhooks.subscribe({
    target_url: "http://127.0.0.1:9/",
    event_types: ["lead.created"],
    public_key_signature: true,
  });
  const text = await cli.run("webhooks", "rotate-signing-key");
  expect([text.code, text.stdout]).toEqual([0, expect.stringContaining(`${data.public_keys_url}`)]);
  const json = await cli.run("webhooks", "rotate-signing-key", "--immediately", "--json");
  const { id, signs_from } = JSON.parse(json.stdout).data;
  expect(Date.parse(signs_from)).toBeLessThanOrEqual(Date.now());
  const published = (await (await fetch(data.public_keys_url ?? "")).json()) as { keys: { kid: string }[] };
  expect(published.keys.map(({ kid }) => kid)).toEqual([id]);
  await parley.webhooks.delete(data.id);
});

test("webhooks subscribe, update, rotate-secret, resume and delete manage a subscription", async () => {
  const created = await cli.run(
    ...[
      "webhooks",
      "subscribe",
      "http://127.0.0.1:9/",
      "--event-types",
      "lead.created,lead.updated",
      "--json",
    ],
    ...[
      "--condition",
      "data.attributes.score greater 80",
      "--condition",
      "data.attributes.status in new,qualified",
    ],
    ...[
      "--condition",
      "data.attributes.contact.name exists",
      "--header",
      "X-Api-Key: 1:2",
      "--rate-limit",
      "10",
    ],
    ...["--ordering", "record", "--public-key-signature"],
  );
  expect([created.code, created.stderr]).toEqual([0, ""]);
  const { data } = JSON.parse(created.stdout);
  expect(data).toMatchObject({
    event_types: ["lead.created", "lead.updated"],
    filters: {
      conditions: [
        { field: "data.attributes.score", op: "greater", value: 80 },
        { field: "data.attributes.status", op: "in", value: ["new", "qualified"] },
        { field: "data.attributes.contact.name", op: "exists", value: true },
      ],
    },
    header_names: ["x-api-key"],
    rate_limit: 10,
    ordering: "record",
    public_keys_url: expect.any(String),
    secret: expect.stringMatching(/^parley_ws_/),
  });
  const removals = ["filters", "headers", "rate-limit", "ordering", "public-key-signature"];
  const updated = await cli.run(
    ...["webhooks", "update", data.id, "--event-types", "*", "--url", "http://127.0.0.1:9/2", "--json"],
    ...removals.map((name) => `--no-${name}`),
  );
  expect([updated.code, JSON.parse(updated.stdout).data]).toEqual([
    0,
    expect.objectContaining({ target_url: "http://127.0.0.1:9/2", event_types: ["*"], filters: {} }),
  ]);
  for (const member of ["header_names", "rate_limit", "ordering", "public_keys_url"]) {
    expect(updated.stdout).not.toContain(member);
  }
  const kept = await cli.run("webhooks", "update", data.id, "--rate-limit", "5", "--json");
  expect(JSON.parse(kept.stdout).data).toMatchObject({ event_types: ["*"], rate_limit: 5 });

  const disabled = await cli.run("webhooks", "update", data.id, "--no-enabled", "--json");
  expect(JSON.parse(disabled.stdout).data).toMatchObject({ enabled: false });
  const enabled = await cli.run("webhooks", "update", data.id, "--enabled", "--json");
  expect(JSON.parse(enabled.stdout).data).not.toHaveProperty("enabled");

  const rotated = await cli.run("webhooks", "rotate-secret", data.id, "--immediately");
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining("parley_ws_")]);
  const resumed = await cli.run("webhooks", "resume", data.id, "--fill-gap");
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringMatching(/gap_events\s+0/)]);
  const removed = await cli.run("webhooks", "delete", data.id);
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("deleted")]);
});

test.each([
  [["update", "01928c5e-7a10-7c44-8d21-0b6de2f0aa01"], 2, "Nothing to update"],
  [
    ["subscribe", "http://127.0.0.1:9/", "--condition", "score over 80"],
    2,
    "Must be a field, an operator and a value",
  ],
  [["subscribe", "http://127.0.0.1:9/", "--header", "X-Api-Key"], 2, 'such as "X-Api-Key: 3c1f9a52"'],
  [["subscribe", "http://127.0.0.1:9/", "--rate-limit", "0"], 2, "Must be a number from 1 to 1000"],
  [["subscribe", "http://127.0.0.1:9/", "--ordering", "time"], 2, "Must be record"],
  [
    [
      "subscribe",
      "http://127.0.0.1:9/",
      "--event-types",
      "lead.created",
      "--condition",
      "data.attributes.scor less 5",
    ],
    1,
    "is not a field of lead.created. Did you mean score?",
  ],
])("webhooks %j is refused with an explanation", async (words, code, problem) => {
  const refused = await cli.run("webhooks", ...words);
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(problem)]);
});
