import { Parley, rawClient } from "@parley/sdk";
import { type Demo, startDemo } from "@parley/standalone/testing";
import type { INodeParameters } from "n8n-workflow";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ParleyRecord } from "../nodes/shared/request.ts";
import { type LoadedPackage, loadPackage } from "./built-package.ts";
import { functionsFor, type PlacedNode } from "./functions.ts";

let demo: Demo;
let parley: Parley;
let nodes: LoadedPackage;
let chatbot_id: string;

beforeAll(async () => {
  [demo, nodes] = await Promise.all([startDemo(), loadPackage()]);
  parley = new Parley({ baseUrl: demo.url, accessToken: demo.token });
  chatbot_id = (await parley.chatbots.list()).data[0]?.id ?? "";
});
afterAll(async () => {
  nodes.remove();
  await demo.stop();
});

/** Runs the node and returns its output. */
async function run(parameters: INodeParameters, more: Partial<PlacedNode> = {}): Promise<ParleyRecord[]> {
  const node = { type: nodes.parley, parameters, staticData: {}, ...more };
  const outputs = (await nodes.parley.execute?.call(functionsFor(demo, node))) ?? [];
  if (!Array.isArray(outputs)) throw new Error("the node returned no items");
  return outputs.flat().map(({ json }) => json as ParleyRecord);
}

test("creates, gets and updates a lead", async () => {
  const additionalFields = {
    name: "Zoë 🦊",
    email: "zoe@example.com",
    score: 90,
    source: "",
    qualification: '{"a":1}',
  };
  const [lead] = await run({ resource: "lead", operation: "create", chatbot_id, additionalFields });
  expect(lead).toMatchObject({
    type: "lead",
    attributes: {
      contact: { name: "Zoë 🦊", email: "zoe@example.com", phone: null },
      status: "qualified",
      source: null,
      qualification: { a: 1 },
    },
  });
  const id = lead?.id ?? "";
  expect(await run({ resource: "lead", operation: "get", id })).toEqual([lead]);

  const updateFields = { phone: "+43 1 5550100", status: "converted" };
  const [updated] = await run({ resource: "lead", operation: "update", id, updateFields });
  expect(updated).toMatchObject({
    attributes: { contact: { name: "Zoë 🦊", phone: "+43 1 5550100" }, status: "converted" },
  });
});

test("creates, updates and gets a ticket", async () => {
  const additionalFields = { priority: "high", email: "zoe@example.com" };
  const [ticket] = await run({
    resource: "ticket",
    operation: "create",
    subject: "Invoice",
    additionalFields,
  });
  const id = ticket?.id ?? "";
  const updateFields = { status: "resolved", name: "Zoë" };
  const updated = await run({ resource: "ticket", operation: "update", id, updateFields });
  expect(updated).toMatchObject([
    { attributes: { status: "resolved", requester: { name: "Zoë", email: "zoe@example.com" } } },
  ]);
  expect(await run({ resource: "ticket", operation: "get", id })).toEqual(updated);
});

test("creates and gets a conversation", async () => {
  const additionalFields = { channel: "whatsapp", name: "Zoë" };
  const created = await run({ resource: "conversation", operation: "create", chatbot_id, additionalFields });
  expect(created).toMatchObject([{ attributes: { channel: "whatsapp", visitor: { name: "Zoë" } } }]);
  const id = created[0]?.id ?? "";
  expect(await run({ resource: "conversation", operation: "get", id })).toEqual(created);
});

test.each(["chatbot", "conversation", "lead", "meeting", "ticket"])(
  "%s: gets one, many and all",
  async (resource) => {
    const all = await run({ resource, operation: "getAll", returnAll: true });
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const path = `/api/v1/${resource}s` as "/api/v1/leads";
    expect(all).toHaveLength((await rawClient(parley).GET(path)).data?.meta.total ?? -1);
    expect(await run({ resource, operation: "getAll", limit: 2 })).toEqual(all.slice(0, 2));
    expect(await run({ resource, operation: "get", id: all[0]?.id ?? "" })).toEqual([all[0]]);
  },
);

test("Return All returns more than one page", async () => {
  for (let count = 0; count < 70; count += 1) await parley.leads.create({ chatbot_id, contact: {} });
  const all = await run({ resource: "lead", operation: "getAll", returnAll: true });
  expect(all.length).toBeGreaterThan(100);
  expect(await run({ resource: "lead", operation: "getAll", limit: 101 })).toHaveLength(101);
});

test("filters a list; a time without an offset is in the workflow's time zone", async () => {
  const [newest] = (await parley.leads.list({ limit: 1 })).data;
  const updated_at = newest?.attributes.updated_at ?? "";
  const inVienna = new Date(updated_at).toLocaleString("sv", { timeZone: "Europe/Vienna" }).replace(" ", "T");
  const since = `${inVienna}.${updated_at.slice(20, 23)}`;
  expect(await run({ resource: "lead", operation: "getAll", filters: { since } })).toEqual([newest]);
  const filters = { status: "converted", chatbot_id };
  const converted = await run({ resource: "lead", operation: "getAll", filters });
  expect(converted).not.toEqual([]);
  for (const lead of converted) expect(lead).toMatchObject({ attributes: filters });
});

test("finds leads by email address, phone number and text", async () => {
  const contact = { name: "Grace Hopper", email: "grace@example.com", phone: "+1 555 0199" };
  const { data: lead } = await parley.leads.create({ chatbot_id, contact });
  for (const filters of [
    { email: "GRACE@example.com" },
    { phone: "15550199" },
    { q: "hopper", created_before: "2999-01-01T00:00:00", sort: "created_at" },
  ]) {
    expect(await run({ resource: "lead", operation: "getAll", filters })).toEqual([lead]);
  }
});

test("reads conversations with their latest messages", async () => {
  const filters = { include: "messages" };
  const [conversation] = await run({ resource: "conversation", operation: "getAll", filters, limit: 1 });
  expect(conversation).toMatchObject({ messages: expect.any(Array) });
});

test("the dropdown lists every chatbot", async () => {
  const node = { type: nodes.parley, parameters: {}, staticData: {} };
  const options = await nodes.parley.methods?.loadOptions?.["getChatbots"]?.call(functionsFor(demo, node));
  const { data } = await parley.chatbots.list();
  expect(options).toEqual(data.map(({ label, value }) => ({ name: label, value })));
});

test("throws a NodeApiError with Parley's description and the item if a request is refused", async () => {
  const additionalFields = { email: "not an address" };
  const parameters = { resource: "lead", operation: "create", chatbot_id, additionalFields };
  await expect(run(parameters)).rejects.toMatchObject({
    name: "NodeApiError",
    message: expect.stringContaining("email"),
    description: "invalid_request",
    httpCode: "400",
    context: { itemIndex: 0 },
  });
});

test("continues with the other items if Continue On Fail is on", async () => {
  const parameters = { resource: "lead", operation: "get", id: "unknown" };
  const items = await run(parameters, { items: 2, continueOnFail: true });
  expect(items).toEqual([{ error: expect.any(String) }, { error: expect.any(String) }]);
});

test("rejects a qualification that is not JSON", async () => {
  const additionalFields = { qualification: "{" };
  const parameters = { resource: "lead", operation: "create", chatbot_id, additionalFields };
  await expect(run(parameters)).rejects.toMatchObject({
    name: "NodeOperationError",
    message: "Qualification is not valid JSON",
  });
});
