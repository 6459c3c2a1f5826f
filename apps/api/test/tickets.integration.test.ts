import type { Schemas } from "@parley/contract";
import { beforeEach, expect, test } from "vitest";
import { as, useApi } from "../src/testing/api-server.ts";
import { takeEvents } from "../src/testing/events.ts";
import { createTenant, type Tenant } from "../src/testing/factories.ts";

const api = useApi();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant(api.db);
});

async function send(method: string, path: string, body: object, status = 200): Promise<Schemas["Ticket"]> {
  const response = await as(api, tenant)(method, path, body);
  expect(response.status).toBe(status);
  return ((await response.json()) as { data: Schemas["Ticket"] }).data;
}
const create = (body: object = {}) =>
  send("POST", "/api/v1/tickets", { subject: "Cannot sign in", ...body }, 201);
const update = (ticket: { id: string }, body: object) => send("PATCH", `/api/v1/tickets/${ticket.id}`, body);
const types = async () => (await takeEvents(api, tenant)).map(({ type }) => type);

test("a ticket is created with its defaults", async () => {
  const ticket = await create({ chatbot_id: tenant.chatbotId, requester: { name: "Ben" } });
  expect(ticket.attributes).toMatchObject({
    subject: "Cannot sign in",
    description: "",
    status: "open",
    priority: "normal",
    chatbot_id: tenant.chatbotId,
    lead_id: null,
    conversation_id: null,
    requester: { name: "Ben", email: null },
    resolved_at: null,
  });
  const [event, ...others] = await takeEvents(api, tenant);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: "ticket.created", chatbot_id: tenant.chatbotId, data: ticket });
});

test("resolving sets the time once; reopening clears it", async () => {
  const ticket = await create();
  await types();
  const resolved = await update(ticket, { status: "resolved", priority: "high" });
  expect(resolved.attributes.resolved_at).toBe(resolved.attributes.updated_at);
  const [updated, ...rest] = await takeEvents(api, tenant);
  expect(updated).toMatchObject({
    type: "ticket.updated",
    previous_attributes: { status: "open", priority: "normal", resolved_at: null },
  });
  expect(rest).toMatchObject([{ type: "ticket.resolved", data: resolved }]);
  expect(await update(ticket, { status: "resolved" })).toEqual(resolved);
  expect(await types()).toEqual([]);
  expect((await update(ticket, { status: "closed" })).attributes.resolved_at).toBe(
    resolved.attributes.resolved_at,
  );
  expect((await update(ticket, { status: "open" })).attributes.resolved_at).toBeNull();
  await update(ticket, { status: "resolved" });
  expect(await types()).toEqual(["ticket.updated", "ticket.updated", "ticket.updated", "ticket.resolved"]);
});

test.each(["chatbot_id", "lead_id", "conversation_id"])(
  "%s must belong to the organization",
  async (field) => {
    const other = await createTenant(api.db);
    for (const id of [other.chatbotId, "01928c5e-7a10-7c44-8d21-0b6de2f0a001"]) {
      const response = await as(api, tenant)("POST", "/api/v1/tickets", { subject: "x", [field]: id });
      expect(response.status).toBe(400);
      const { error_description } = (await response.json()) as Schemas["ApiError"];
      expect(error_description).toBe(
        `body/${field} must be the ID of a ${field.replace("_id", "")} of the organization`,
      );
    }
    expect(await types()).toEqual([]);
  },
);
