import { expect, test } from "vitest";
import { filterRows, pageRows, statusRows } from "./list-rows.ts";
import { type Resource, timestamp, useAccount } from "./service.ts";

// GET and POST /api/v1/tickets, PATCH /api/v1/tickets/{id}.

const path = "/api/v1/tickets";
const { service, account } = useAccount();

test("a ticket has id, type and attributes; a field without a value is null", async () => {
  const [id] = await account.write(["ticket", "help", { subject: "Cannot sign in" }]);
  const { data } = (await account.call<Resource[]>("GET", path)).body;
  expect(data).toEqual([
    {
      id,
      type: "ticket",
      attributes: {
        subject: "Cannot sign in",
        description: "",
        status: "open",
        priority: "normal",
        chatbot_id: null,
        lead_id: null,
        conversation_id: null,
        requester: { name: null, email: null },
        created_at: timestamp,
        updated_at: timestamp,
        resolved_at: null,
      },
    },
  ]);
});

test("tickets:write creates and updates tickets: POST is 201, PATCH is 200, and the list shows both", async () => {
  const created = await account.call("POST", path, {
    subject: "Export is empty",
    chatbot_id: account.otherBot,
  });
  const updated = await account.call("PATCH", `${path}/${created.body.data.id}`, { status: "resolved" });
  expect([created.status, updated.status]).toEqual([201, 200]);
  const { data } = (await account.call<Resource[]>("GET", `${path}?chatbot_id=${account.otherBot}`)).body;
  expect(data).toEqual([updated.body.data]);
  expect(data[0]?.attributes).toMatchObject({ status: "resolved", resolved_at: timestamp });
});

pageRows({
  path,
  defaultLimit: 20,
  service: () => service,
  item: (n) => ["ticket", `ticket-${n}`, { subject: `Ticket ${n}` }],
});

filterRows(
  path,
  () => service,
  (externalId, chatbot_external_id, changed) => [
    "ticket",
    externalId,
    { subject: "Cannot sign in", chatbot_external_id, priority: changed ? "high" : "low" },
  ],
);

statusRows(
  path,
  () => service,
  ["open", "pending", "resolved", "closed"],
  (externalId, status) => ["ticket", externalId, { subject: "Cannot sign in", status }],
);
