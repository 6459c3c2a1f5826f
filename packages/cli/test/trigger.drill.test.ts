import { Parley } from "@parley/sdk";
import { eventTypes } from "@parley/sdk/testing";
import { type Demo, startDemo } from "@parley/standalone/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { liveEventTypes } from "../src/live-changes.ts";
import { commandLine } from "./support/command-line.ts";
import { startReceiver } from "./support/receiver.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

const secret = "parley_ws_local";
const offline = () => commandLine({ PARLEY_WEBHOOK_SECRET: secret });
const online = () => commandLine({ PARLEY_URL: demo.url, PARLEY_TOKEN: demo.token });

test("sends each event type, signed, without a server", async () => {
  const receiver = await startReceiver(secret);
  const cli = offline();
  for (const type of eventTypes) {
    const { code, stdout } = await cli.run("trigger", type, "--forward-to", receiver.url);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`204 {2}${type.replace(".", "\\.")} `)),
    ]);
  }
  expect(receiver.received.map(({ type }) => type)).toEqual(eventTypes);
  expect(Math.abs(Date.parse(receiver.received[0]?.created_at ?? "") - Date.now())).toBeLessThan(120_000);
});

test("replaces the given values of data", async () => {
  const receiver = await startReceiver(secret);
  const data = JSON.stringify({ attributes: { score: 91, contact: { email: "grace@example.com" } } });
  const outcome = await offline().run(
    "trigger",
    "lead.qualified",
    "--forward-to",
    receiver.url,
    "--data",
    data,
  );
  expect(outcome.code).toBe(0);
  expect(receiver.received[0]?.data).toMatchObject({
    attributes: { score: 91, contact: { email: "grace@example.com", name: "Ada Novak" } },
  });
});

test("fails with the response when the receiver rejects the event", async () => {
  const receiver = await startReceiver("parley_ws_other");
  const { code, stdout, stderr } = await offline().run(
    "trigger",
    "lead.created",
    "--forward-to",
    receiver.url,
  );
  expect([code, stderr]).toEqual([1, `error: The event was not delivered to ${receiver.url}.\n`]);
  expect(stdout).toMatch(/400 {2}lead\.created.*\n.*signature_mismatch/);
});

test.each([
  [[], "Add --forward-to http://localhost:3000/hook, or --live to create a record."],
  [["--live", "--forward-to", "3000"], "Remove --forward-to and --data."],
  [["--forward-to", "3000", "--data", "[]"], 'Must be a JSON object like {"attributes":{"score":91}}.'],
])("rejects the arguments %j", async (args, message) => {
  const { code, stderr } = await offline().run("trigger", "lead.created", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each(liveEventTypes)("--live causes %s with new records", async (type) => {
  const parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
  const before = await parley.events.list({ cursor: "latest" });
  const { code, stdout, stderr } = await online().run("trigger", type, "--live", "--json");
  expect([code, stderr]).toEqual([0, ""]);
  const { record } = JSON.parse(stdout);
  const { data } = await parley.events.list({ cursor: before.meta.next_cursor });
  const [event, ...others] = data.filter((one) => one.type === type);
  expect([event?.data.id, others]).toEqual([record.id, []]);
});

test("--live explains which event types it can cause, and that it needs write access", async () => {
  const meeting = await online().run("trigger", "meeting.scheduled", "--live");
  expect([meeting.code, meeting.stderr]).toEqual([
    2,
    expect.stringContaining(
      "Only your chatbot platform publishes meeting.scheduled, through the Platform API.",
    ),
  ]);
});
