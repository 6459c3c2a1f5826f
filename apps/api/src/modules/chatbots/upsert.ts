import type { Schemas } from "@parley/contract";
import { type Chatbot, timeOfChange } from "@parley/database";
import type { Change } from "@parley/webhooks";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, type Written } from "../../records/written.ts";

/** Creates the chatbot of the platform's own id, or brings it to the state that is given. Its status moves freely. */
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
  const there = await tx.chatbot.findUnique({ where, select: { id: true } });
  if (!there) {
    const data = { organizationId, externalId, ...wanted, createdAt: now, updatedAt: now };
    return { row: await tx.chatbot.create({ data }), result: "created" };
  }
  const before = await lockRecord(change, "chatbots", there.id);
  const columns = differences(wanted, before);
  if (Object.keys(columns).length === 0) return { row: before, result: "unchanged" };
  const updatedAt = await timeOfChange(tx, now, before.updatedAt);
  return { row: await tx.chatbot.update({ where, data: { ...columns, updatedAt } }), result: "updated" };
}
