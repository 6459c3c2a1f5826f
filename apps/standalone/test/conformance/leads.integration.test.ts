import { expect, test } from "vitest";
import { filterRows, pageRows, statusRows } from "./list-rows.ts";
import { type Resource, timestamp, useAccount } from "./service.ts";

// GET and POST /api/v1/leads, GET and PATCH /api/v1/leads/{id}.

const path = "/api/v1/leads";
const { service, account } = useAccount();

test("a lead has id, type, attributes.contact.name, attributes.contact.email and attributes.created_at", async () => {
  const contact = { name: "Zoë Müller 🦊", email: "zoe@example.com" };
  const [id] = await account.write(["lead", "zoe", { chatbot_external_id: "bot", contact }]);
  const { data } = (await account.call<Resource[]>("GET", path)).body;
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ id, type: "lead", attributes: { contact, created_at: timestamp } });
});

test("a lead has the other fields of the reference too; one without a value is null", async () => {
  const created = await account.call("POST", path, {
    chatbot_id: account.bot,
    contact: { name: "Ada Novak" },
  });
  expect(created.body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: "lead",
    attributes: {
      contact: { name: "Ada Novak", email: null, phone: null, company: null },
      chatbot_id: account.bot,
      status: "new",
      score: 0,
      qualification: {},
      source: null,
      created_at: timestamp,
      updated_at: timestamp,
      qualified_at: null,
      converted_at: null,
    },
  });
});

test("leads:write creates and updates leads: POST is 201, PATCH is 200, and the list shows both", async () => {
  const created = await account.call("POST", path, {
    chatbot_id: account.otherBot,
    contact: { name: "Ben" },
  });
  const { id } = created.body.data;
  const updated = await account.call("PATCH", `${path}/${id}`, { contact: { email: "ben@example.com" } });
  expect([created.status, updated.status]).toEqual([201, 200]);
  const { data } = (await account.call<Resource[]>("GET", `${path}?chatbot_id=${account.otherBot}`)).body;
  expect(data).toEqual([updated.body.data]);
  expect(data[0]?.attributes).toMatchObject({ contact: { name: "Ben", email: "ben@example.com" } });
});

test.each([
  [0, "new"],
  [69, "new"],
  [70, "qualified"],
  [100, "qualified"],
])(
  "a lead that reaches the qualification threshold (70) is qualified: score %i is %s",
  async (score, status) => {
    const body = { chatbot_id: account.bot, contact: { name: "Chiara" }, score };
    const { data } = (await account.call("POST", path, body)).body;
    expect(data.attributes["status"]).toBe(status);
  },
);

pageRows({
  path,
  defaultLimit: 20,
  service: () => service,
  item: (n) => ["lead", `lead-${n}`, { chatbot_external_id: "bot", contact: { name: `Lead ${n}` } }],
});

filterRows(
  path,
  () => service,
  (externalId, chatbot_external_id, changed) => [
    "lead",
    externalId,
    { chatbot_external_id, score: changed ? 20 : 10 },
  ],
);

statusRows(
  path,
  () => service,
  ["new", "qualified", "converted", "disqualified"],
  (externalId, status) => ["lead", externalId, { chatbot_external_id: "bot", status }],
);
