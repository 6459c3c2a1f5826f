import type { Schemas } from "@parley/contract";
import type { Database } from "@parley/database";
import { expect } from "vitest";
import { writeHistory } from "../../../testing/delivery-history.ts";
import { createChatbot } from "./chatbot.ts";
import type { Visitor } from "./visitor.ts";
import type { CreatedWebhook } from "./webhook.ts";

/** Creates a lead with a name, and writes that its event was delivered an hour ago at the second attempt. */
export async function deliverLead(db: Database, visitor: Visitor, to: CreatedWebhook, name: string) {
  const { organizationId } = visitor;
  const { id: chatbot_id } = await createChatbot(db, organizationId, "Bot");
  const created = await visitor.call("POST", "/api/v1/leads", { chatbot_id, contact: { name } });
  expect(created.status).toBe(201);
  const lead = ((await created.json()) as { data: Schemas["Lead"] }).data;
  const event = await db.event.findFirstOrThrow({ where: { recordId: lead.id } });
  await db.delivery.deleteMany({ where: { eventId: event.id } });
  const at = new Date(Date.now() - 3_600_000);
  const past = { status: "delivered" as const, at, attempts: 2, version: 1, eventId: event.id };
  const [delivery] = await writeHistory(db, { organizationId, subscriptionId: to.id }, [past]);
  return { event, id: delivery?.id ?? "", path: `${to.path}/deliveries/${delivery?.id}` };
}
