import { Parley } from "@parley/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import app from "../src/index.ts";
import { startZapierFixture, type ZapierFixture } from "../src/testing/zapier-fixture.ts";

const { create_lead: createLead, create_ticket: createTicket } = app.creates;
const { find_lead: findLead } = app.searches;

let fixture: ZapierFixture;
let parley: Parley;
let chatbot_id: string;
beforeAll(async () => {
  fixture = await startZapierFixture();
  parley = new Parley({ baseUrl: fixture.url, accessToken: fixture.token });
  chatbot_id = (await parley.chatbots.list()).data[0]?.id ?? "";
});
afterAll(() => fixture.stop());

test("creates a lead with the given fields, and finds it by its ID", async () => {
  const created = await fixture.run<{ id: string }>(createLead.operation.perform, {
    inputData: {
      chatbot_id,
      name: "Zoë Müller 🦊",
      email: "zoe@example.com",
      score: 90,
      qualification: { budget: "10-20k" },
    },
  });
  const { data: lead } = await parley.leads.get(created.id);
  expect(created).toEqual(lead);
  expect(lead.attributes).toMatchObject({
    contact: { name: "Zoë Müller 🦊", email: "zoe@example.com", phone: null, company: null },
    status: "qualified",
    qualification: { budget: "10-20k" },
  });
  const inputData = { id: created.id };
  expect(await fixture.run(findLead.operation.perform, { inputData })).toEqual([lead]);
});

test("finds the latest lead by email address and phone number", async () => {
  const contact = { email: "kim@example.com", phone: "+43 1 555 0123" };
  await parley.leads.create({ chatbot_id, contact });
  const { data: lead } = await parley.leads.create({ chatbot_id, contact });
  for (const inputData of [{ email: "KIM@example.com" }, { phone: "43 1 5550123" }, contact]) {
    expect(await fixture.run(findLead.operation.perform, { inputData })).toEqual([lead]);
  }
  const other = { email: "kim@example.com", phone: "1" };
  expect(await fixture.run(findLead.operation.perform, { inputData: other })).toEqual([]);
});

test("asks for a field if there is nothing to find a lead by", async () => {
  const nothing = fixture.run(findLead.operation.perform, { inputData: {} });
  await expect(nothing).rejects.toThrow(/Enter an email, a phone number or a lead ID/);
});

test("finds nothing for an unknown ID", async () => {
  const inputData = { id: "../chatbots" };
  expect(await fixture.run(findLead.operation.perform, { inputData })).toEqual([]);
});

test("creates a ticket with its requester", async () => {
  const created = await fixture.run<{ id: string }>(createTicket.operation.perform, {
    inputData: { subject: "Where is my invoice?", priority: "high", email: "zoe@example.com" },
  });
  const { data: ticket } = await parley.tickets.get(created.id);
  expect(created).toEqual(ticket);
  expect(ticket.attributes).toMatchObject({ priority: "high", requester: { email: "zoe@example.com" } });
});

test("shows Parley's description if a request is rejected", async () => {
  const inputData = { chatbot_id, email: "not an address" };
  const refused = fixture.run(createLead.operation.perform, { inputData });
  await expect(refused).rejects.toThrow(/"message":"[^"]*email.*"code":"invalid_request","status":400/);
});
