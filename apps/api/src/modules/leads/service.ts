import type { Schemas } from "@parley/contract";
import { type Lead, type Prisma, timeOfChange } from "@parley/database";
import { leadResource } from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import { lockRecord } from "../../records/rows.ts";
import { differences, given, previousAttributes, type Written } from "../../records/written.ts";
import { qualificationThreshold } from "../chatbots/service.ts";

/** Fields of a lead that can be set. The contract allows any members in `qualification`, and so does Prisma. */
type LeadFields = Omit<Schemas["LeadUpdate"], "qualification"> & { qualification?: object };

/** Fields of a new lead. */
type NewLead = LeadFields & {
  chatbot_id: string;
  /** External ID, for leads of the Platform API. */
  externalId?: string | null;
};

/**
 * Creates a lead. Publishes `lead.created`; also `lead.qualified` if its status is `qualified` or its score reaches the chatbot's
 * threshold, and `lead.converted` if its status is `converted`.
 *
 * @throws ApiError 400 if the organization has no such chatbot
 */
export async function createLead(
  change: Change,
  {
    chatbot_id: chatbotId,
    externalId = null,
    contact,
    status: wanted = "new",
    score = 0,
    qualification = {},
    source = null,
  }: NewLead,
): Promise<Lead> {
  const { tx, organizationId, now, publish } = change;
  const threshold = await qualificationThreshold(change, chatbotId);
  if (threshold === null) {
    throw invalidField("body/chatbot_id", "must be the ID of a chatbot of the organization");
  }
  const status = wanted === "new" && score >= threshold ? "qualified" : wanted;
  const lead = await tx.lead.create({
    data: {
      organizationId,
      externalId,
      chatbotId,
      ...contactColumns(contact),
      status,
      score,
      qualification,
      source,
      createdAt: now,
      updatedAt: now,
      qualifiedAt: status === "qualified" ? now : null,
      convertedAt: status === "converted" ? now : null,
    },
  });
  const event = { chatbotId, data: leadResource(lead) };
  publish({ ...event, type: "lead.created" });
  if (lead.qualifiedAt) publish({ ...event, type: "lead.qualified" });
  if (lead.convertedAt) publish({ ...event, type: "lead.converted" });
  return lead;
}

/**
 * Updates the given fields under a row lock. Publishes `lead.updated` and, depending on the change, `lead.score_changed`,
 * `lead.qualified` and `lead.converted`; nothing if no value changes.
 *
 * @throws ApiError 404 if the organization has no such lead
 */
export async function updateLead(
  change: Change,
  id: string,
  changes: LeadFields | ((before: Lead) => Promise<LeadFields>),
): Promise<Written<Lead>> {
  const { tx, organizationId, publish } = change;
  const before = await lockRecord(change, "leads", id);
  const fields = typeof changes === "function" ? await changes(before) : changes;
  const columns = await planUpdate(change, before, fields);
  if (!columns) return { row: before, result: "unchanged" };
  const after = await tx.lead.update({ where: { id, organizationId }, data: columns });

  const data = leadResource(after);
  const previous = previousAttributes(leadResource(before).attributes, data.attributes);
  const event = { chatbotId: after.chatbotId, data };
  publish({ ...event, type: "lead.updated", previous_attributes: previous });
  if (after.score !== before.score) {
    publish({ ...event, type: "lead.score_changed", previous_attributes: { score: before.score } });
  }
  if (after.qualifiedAt && !before.qualifiedAt) publish({ ...event, type: "lead.qualified" });
  if (after.convertedAt && !before.convertedAt) publish({ ...event, type: "lead.converted" });
  return { row: after, result: "updated" };
}

/** Returns the columns to write, including status and times that follow from the change; null if no value changes. */
async function planUpdate(
  change: Change,
  before: Lead,
  { contact, status, score, qualification, source }: LeadFields,
): Promise<Prisma.LeadUncheckedUpdateInput | null> {
  const wanted = { ...contactColumns(contact), status, score, qualification, source };
  const changed = differences(wanted, before);
  if (Object.keys(changed).length === 0) return null;

  const now = await timeOfChange(change.tx, change.now, before.updatedAt);
  const columns: Prisma.LeadUncheckedUpdateInput = { ...changed, updatedAt: now };
  // Only a changed score qualifies a lead. If only the chatbot's threshold was lowered, existing leads keep their
  // status.
  if (before.status === "new" && changed.status === undefined && changed.score !== undefined) {
    const threshold = await qualificationThreshold(change, before.chatbotId);
    if (threshold !== null && changed.score >= threshold) columns.status = "qualified";
  }
  if (columns.status === "qualified" && !before.qualifiedAt) columns.qualifiedAt = now;
  if (columns.status === "converted" && !before.convertedAt) columns.convertedAt = now;
  return columns;
}

/** Returns the columns of the given fields. Null clears a column. */
function contactColumns(contact: Schemas["LeadContactInput"] = {}) {
  return given({
    contactName: contact.name,
    contactEmail: contact.email,
    contactPhone: contact.phone,
    contactCompany: contact.company,
  });
}
