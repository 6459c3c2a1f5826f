import { expect, test, vi } from "vitest";
import { timestamp, useAccount } from "./service.ts";

// POST /api/platform/v1/organizations/{id}/erasures, GET …/erasures/{erasure_id}.

const { service, account } = useAccount();

interface Erasure {
  id: string;
  status: string;
  completed_at: string | null;
  report: Record<string, number>;
}

function send(method: string, path = "", body?: object) {
  const erasures = `/api/platform/v1/organizations/${account.organizationId}/erasures${path}`;
  return service.send<Erasure>(method, erasures, { token: service.platformKey, ...(body && { body }) });
}

async function request(body: object): Promise<Erasure> {
  const created = await send("POST", "", body);
  expect(created.status).toBe(202);
  return created.body.data;
}

async function erase(body: object): Promise<Erasure> {
  const { id } = await request(body);
  return vi.waitFor(
    async () => {
      const { data } = (await send("GET", `/${id}`)).body;
      expect(data).toMatchObject({ status: "completed", completed_at: timestamp });
      return data;
    },
    { timeout: 30_000, interval: 200 },
  );
}

const lead = (id: string, email: string) =>
  ["lead", id, { chatbot_external_id: "bot", contact: { email } }] as const;

test("erasures, by email and by external ID, are 202, become completed, and remove the person's records and events", async () => {
  const [, kept] = await account.write(
    lead("ada", "Ada@example.com"),
    lead("ben", "ben@example.com"),
    ["conversation", "talk", { chatbot_external_id: "bot", lead_external_id: "ada" }],
    ["message", "hello", { conversation_external_id: "talk", role: "visitor", text: "Hello" }],
    lead("eve", "eve@example.com"),
    ["ticket", "help", { subject: "Help", requester: { email: "EVE@example.com" } }],
  );
  const [ada, eve] = await Promise.all([
    erase({ email: "ada@example.com" }),
    erase({ external_id: "eve" }), // Searches for the email of the lead.
  ]);
  expect(ada.report).toMatchObject({ leads: 1, conversations: 1, messages: 1, events: 3 });
  expect(eve.report).toMatchObject({ leads: 1, tickets: 1, events: 2 });
  const leads = await account.call<{ id: string }[]>("GET", "/api/v1/leads");
  expect([leads.body.data.map(({ id }) => id), leads.body.meta["total"]]).toEqual([[kept], 1]);
  const events = await account.call<unknown[]>("GET", "/api/v1/events?since=2020-01-01T00:00:00Z");
  expect(JSON.stringify(events.body.data)).not.toMatch(/(ada|eve)@example/i);

  const again = await erase({ external_id: "eve" });
  expect(again.id).not.toBe(eve.id);
  expect(new Set(Object.values(again.report))).toEqual(new Set([0]));
});

test.each([
  {},
  { email: "ada@example.com", external_id: "ada" },
  { email: "ada" },
  { phone: "+43 1 5550100" },
])("%j is 400 invalid_request", async (body) => {
  const { status, body: error } = await send("POST", "", body);
  expect([status, error.error]).toEqual([400, "invalid_request"]);
});

test("an unknown erasure is 404, and so is one of another organization", async () => {
  const { id } = await request({ email: "noone@example.com" });
  const other = await service.createAccount("business");
  const foreign = `/api/platform/v1/organizations/${other.organizationId}/erasures/${id}`;
  const responses = [
    await send("GET", "/01928c5e-7a10-7c44-8d21-0b6de2f0a001"),
    await send("GET", "/some"),
    await service.send("GET", foreign, { token: service.platformKey }),
  ];
  expect(responses.map(({ status, body }) => [status, body.error])).toEqual(
    responses.map(() => [404, "not_found"]),
  );
});
