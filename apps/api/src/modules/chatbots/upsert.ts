import type { Schemas } from "@parley/contract";
import { type Chatbot, timeOfChange } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, type Written } from "../../records/written.ts";
import { forgetThresholds } from "./service.ts";

/** Creates or updates the chatbot with the external ID. Every change of status is allowed. */
export async function upsertChatbot(
  change: Change,
  externalId: string,
  { name, description, model, status, qualification_threshold }: Schemas["PlatformChatbot"],
): Promise<Written<Chatbot>> {
  const { tx, organizationId, now } = change;
  const wanted = {
    name,
    model,
    ...given({ description, status, qualificationThreshold: qualification_threshold }),
  };
  const where = { organizationId_externalId: { organizationId, externalId } };
  const existing = await tx.chatbot.findUnique({ where, select: { id: true } });
  if (!existing) {
    const data = { organizationId, externalId, ...wanted, createdAt: now, updatedAt: now };
    return { row: await tx.chatbot.create({ data }), result: "created" };
  }
  const before = await lockRecord(change, "chatbots", existing.id);
  const columns = differences(wanted, before);
  if (Object.keys(columns).length === 0) return { row: before, result: "unchanged" };
  const updatedAt = await timeOfChange(tx, now, before.updatedAt);
  forgetThresholds(change);
  return { row: await tx.chatbot.update({ where, data: { ...columns, updatedAt } }), result: "updated" };
}
