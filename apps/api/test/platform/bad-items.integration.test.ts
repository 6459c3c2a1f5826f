import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, itemTypes, type Platform, sampleItem, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

/** Sends the item first, in the middle and last among valid ones, which must succeed. Returns its results. */
async function failures(item: unknown): Promise<Schemas["BatchResult"][]> {
  const { data, meta } = await platform.batch([
    item,
    sampleItem("lead", "good 1"),
    item,
    item,
    sampleItem("lead", "good 2"),
    item,
  ]);
  expect(meta).toMatchObject({ count: 6, created: 2, updated: 0, unchanged: 0, failed: 4 });
  expect(data[1]).toMatchObject({ index: 1, result: "created", type: "lead", external_id: "good 1" });
  expect(data[4]).toMatchObject({ index: 4, result: "created", type: "lead", external_id: "good 2" });
  expect(await platform.types()).toEqual(["lead.created", "lead.created"]);
  return data.filter(({ result }) => result === "failed");
}
/** Returns the expected results; `message` follow `items/<index>/`. */
const said = (message: string) =>
  [0, 2, 3, 5].map((index) => ({
    index,
    result: "failed",
    error: "invalid_request",
    error_description: expect.stringContaining(`items/${index}/${message}`),
  }));

const anyType = `type must be one of ${itemTypes.join(", ")}`;
const lead = (attributes: unknown) => ({ type: "lead", external_id: "ada", attributes });
const { lead: good } = samples;

test.each([
  ["null", null],
  ["text", "lead"],
  ["a number", 7],
  ["true", true],
  ["a list", [sampleItem("lead", "ada")]],
  ["an empty object", {}],
  ["an unknown type", { ...sampleItem("lead", "ada"), type: "unicorn" }],
  ["a type in capitals", { ...sampleItem("lead", "ada"), type: "Lead" }],
  ["no type", { external_id: "ada", attributes: good }],
  ["null for a type", { ...sampleItem("lead", "ada"), type: null }],
  ["an object for a type", { ...sampleItem("lead", "ada"), type: { lead: true } }],
  ["what every object has for a type", { ...sampleItem("lead", "ada"), type: "constructor" }],
])("rejects %s with the list of types", async (_name, item) => {
  expect(await failures(item)).toEqual(said(anyType));
});

test.each([
  ["without attributes", { type: "lead", external_id: "ada" }, "attributes is required"],
  ["with null for attributes", lead(null), "attributes must be an object"],
  ["with a list for attributes", lead([]), "attributes must be an object"],
  ["with text for attributes", lead("score=5"), "attributes must be an object"],
  ["without external_id", { type: "lead", attributes: good }, "external_id is required"],
  ["with null for external_id", { ...lead(good), external_id: null }, "external_id must be a string"],
  ["with a number for external_id", { ...lead(good), external_id: 4711 }, "external_id must be a string"],
  ["with an empty external_id", sampleItem("lead", ""), "external_id must not be empty"],
  ["with a long external_id", sampleItem("lead", "x".repeat(201)), "external_id must have at most 200 "],
  ["with an unknown field", { ...sampleItem("lead", "ada"), id: "1" }, "id is not a known field"],
  ["with an unknown attribute", lead({ ...good, colour: "blue" }), "attributes/colour is not a known field"],
  [
    "with an unknown attribute further in",
    lead({ ...good, contact: { name: "Ada", fax: "1" } }),
    "attributes/contact/fax is not a known field",
  ],
  ["without an attribute that it needs", lead({ score: 5 }), "attributes/chatbot_external_id is required"],
  [
    "with a number as text",
    lead({ ...good, score: "5" }),
    "attributes/score must be an integer from 0 to 100",
  ],
  [
    "with a number too large",
    lead({ ...good, score: 101 }),
    "attributes/score must be an integer from 0 to 100",
  ],
  [
    "with a number too small",
    lead({ ...good, score: -1 }),
    "attributes/score must be an integer from 0 to 100",
  ],
  ["with half a number", lead({ ...good, score: 0.5 }), "attributes/score must be an integer from 0 to 100"],
  [
    "with a huge number",
    lead({ ...good, score: 1e308 }),
    "attributes/score must be an integer from 0 to 100",
  ],
  [
    "with an unknown word",
    lead({ ...good, status: "lost" }),
    "attributes/status must be one of new, qualified, converted, disqualified",
  ],
  [
    "with an email address that is none",
    lead({ ...good, contact: { email: "ada" } }),
    "attributes/contact/email must be an email address",
  ],
  [
    "with a time that is none",
    sampleItem("meeting", "demo", { starts_at: "2026-02-30T09:00:00Z" }),
    "attributes/starts_at must be an RFC 3339 timestamp with Z or an offset",
  ],
  [
    "with a long text",
    sampleItem("ticket", "help", { subject: "x".repeat(301) }),
    "attributes/subject must have at most 300 characters",
  ],
  [
    "with too many responses",
    lead({ ...good, qualification: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, i])) }),
    "attributes/qualification must have at most 100 fields",
  ],
  [
    "with a NUL character in its external_id",
    sampleItem("lead", "a\0b"),
    "external_id must not contain a NUL character or an unpaired surrogate",
  ],
  [
    "with a NUL character in its text",
    lead({ ...good, contact: { name: "a\0b" } }),
    "attributes/contact/name must not contain a NUL character",
  ],
  [
    "with a NUL character in the name of an response",
    lead({ ...good, qualification: { "a\0b": 1 } }),
    "attributes/qualification must not contain a NUL character",
  ],
  [
    "with half of a surrogate pair",
    lead({ ...good, qualification: { mood: ["\ud83e"] } }),
    "attributes/qualification/mood/0 must not contain a NUL character or an unpaired surrogate",
  ],
  [
    "that is nested without end",
    lead({ ...good, qualification: { a: JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) } }),
    "attributes/qualification",
  ],
  [
    "that names a record which is not there",
    lead({ chatbot_external_id: "nobody" }),
    "attributes/chatbot_external_id must be the external_id of a chatbot of the organization",
  ],
  [
    "that names a record with a long external_id",
    lead({ chatbot_external_id: "x".repeat(201) }),
    "attributes/chatbot_external_id must have at most 200 characters",
  ],
  [
    "that names several records, of which one is not there",
    sampleItem("ticket", "help", { chatbot_external_id: "bot", lead_external_id: "nobody" }),
    "attributes/lead_external_id must be the external_id of a lead of the organization",
  ],
  [
    "that ends before it starts",
    sampleItem("meeting", "demo", { ends_at: "2026-03-05T13:00:00Z" }),
    "attributes/ends_at must not be before starts_at",
  ],
  [
    "with a time zone that is none",
    sampleItem("meeting", "demo", { timezone: "Mars/Olympus" }),
    "attributes/timezone must be an IANA time zone, for example Europe/Vienna",
  ],
  [
    "that changes what stays",
    sampleItem("message", "greeting", { role: "chatbot", text: "Something else" }),
    "attributes/text cannot be changed. Send the stored value, or leave the field out.",
  ],
])("describes the problem of an item %s with its path", async (_name, item, message) => {
  expect(await failures(item)).toEqual(said(message));
});

test.each([
  ["reopens a conversation that has ended", sampleItem("conversation", "over", { status: "open" }), "status"],
  [
    "is a message after the end",
    sampleItem("message", "late", { conversation_external_id: "over" }),
    "conversation_external_id",
  ],
])("rejects an item that %s", async (_name, item, field) => {
  await platform.batch([sampleItem("conversation", "over", { status: "ended" })]);
  await platform.events();
  expect(await failures(item)).toEqual(said(`attributes/${field}`));
});

test("does not write invalid items", async () => {
  await failures(sampleItem("ticket", "help", { chatbot_external_id: "nobody" }));
  await platform.batch([sampleItem("lead", "bad", { score: 101 })]);
  expect([await platform.count("ticket"), await platform.count("lead")]).toEqual([0, 2]);
});

test("responds with 200 to a batch with only invalid items", async () => {
  const { data, meta } = await platform.batch([null, 7, {}]);
  expect(meta).toMatchObject({ count: 3, created: 0, updated: 0, unchanged: 0, failed: 3 });
  expect(data.map(({ index, result }) => [index, result])).toEqual(
    [0, 1, 2].map((index) => [index, "failed"]),
  );
});
