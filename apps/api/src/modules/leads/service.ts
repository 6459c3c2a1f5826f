import { isDeepStrictEqual } from "node:util";
import type { RequestOf, Schemas } from "@parley/contract";
import { type Database, isUuid, type Lead, type Transaction } from "@parley/database";
import type { Publisher } from "@parley/webhooks";
import { invalidField, notFound } from "../../http/api-error.ts";
import { qualificationThreshold } from "../chatbots/service.ts";
import { leadResource } from "./resource.ts";

/** @throws ApiError 404 when the organization has no such lead */
export async function findLead(
  db: Pick<Database, "lead">,
  organizationId: string,
  id: string,
): Promise<Lead> {
  const lead = isUuid(id) ? await db.lead.findFirst({ where: { id, organizationId } }) : null;
  if (!lead) throw notFound("lead");
  return lead;
}

/**
 * Publishes `lead.created`, and `lead.qualified` when the score reaches the chatbot's threshold.
 *
 * @throws ApiError 400 when the organization has no such chatbot
 */
export async function createLead(
  publisher: Publisher,
  organizationId: string,
  { chatbot_id: chatbotId, contact, score, qualification, source }: RequestOf<"createLead">["body"],
): Promise<Lead> {
  return publisher.transaction(async (tx, publish) => {
    const threshold = await qualificationThreshold(tx, organizationId, chatbotId);
    if (threshold === null)
      throw invalidField("body/chatbot_id", "must be the id of one of the organization's chatbots");
    const now = new Date();
    const qualified = score >= threshold;
    const lead = await tx.lead.create({
      data: {
        organizationId,
        chatbotId,
        ...contactColumns(contact),
        status: qualified ? "qualified" : "new",
        score,
        qualification: qualification as object,
        source: source ?? null,
        createdAt: now,
        updatedAt: now,
        qualifiedAt: qualified ? now : null,
      },
    });
    const event = { organizationId, chatbotId, data: leadResource(lead) };
    await publish({ ...event, type: "lead.created" });
    if (qualified) await publish({ ...event, type: "lead.qualified" });
    return lead;
  });
}

/**
 * Changes what `changes` names, under a row lock, so that two updates at once lose nothing.
 * Publishes `lead.updated` and what else the change means; nothing when nothing changes.
 *
 * @throws ApiError 404 when the organization has no such lead
 */
export async function updateLead(
  publisher: Publisher,
  organizationId: string,
  id: string,
  changes: Schemas["LeadUpdate"],
): Promise<Lead> {
  return publisher.transaction(async (tx, publish) => {
    const before = await lockLead(tx, organizationId, id);
    const change = await planChange(tx, before, changes);
    if (!change) return before;
    const after = await tx.lead.update({ where: { id, organizationId }, data: change });

    const data = leadResource(after);
    const previous = previousAttributes(leadResource(before).attributes, data.attributes);
    const event = { organizationId, chatbotId: after.chatbotId, data };
    await publish({ ...event, type: "lead.updated", previous_attributes: previous });
    if (after.score !== before.score) {
      await publish({ ...event, type: "lead.score_changed", previous_attributes: { score: before.score } });
    }
    if (after.qualifiedAt && !before.qualifiedAt) await publish({ ...event, type: "lead.qualified" });
    if (after.convertedAt && !before.convertedAt) await publish({ ...event, type: "lead.converted" });
    return after;
  });
}

async function lockLead(tx: Transaction, organizationId: string, id: string): Promise<Lead> {
  if (isUuid(id)) {
    await tx.$queryRaw`SELECT 1 FROM leads WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  }
  return findLead(tx, organizationId, id);
}

type LeadChange = Partial<Omit<Lead, "qualification">> & { qualification?: object };

/** The columns that differ afterwards, with what follows from them; null when none does. */
async function planChange(
  tx: Transaction,
  before: Lead,
  changes: Schemas["LeadUpdate"],
): Promise<LeadChange | null> {
  const { contact, status, score, qualification, source } = changes;
  const wanted = { ...contactColumns(contact), status, score, qualification, source };
  const change: LeadChange = Object.fromEntries(
    Object.entries(wanted).filter(
      ([column, value]) => value !== undefined && !isDeepStrictEqual(value, before[column as keyof Lead]),
    ),
  );
  if (Object.keys(change).length === 0) return null;

  // Strictly later than before, whatever the clock says: pollers compare this time.
  const now = new Date(Math.max(Date.now(), before.updatedAt.getTime() + 1));
  if (status === undefined && before.status === "new" && (await crossesThreshold(tx, before, score))) {
    change.status = "qualified";
  }
  if (change.status === "qualified" && !before.qualifiedAt) change.qualifiedAt = now;
  if (change.status === "converted" && !before.convertedAt) change.convertedAt = now;
  return { ...change, updatedAt: now };
}

async function crossesThreshold(tx: Transaction, before: Lead, score: number | undefined): Promise<boolean> {
  if (score === undefined) return false;
  const threshold = await qualificationThreshold(tx, before.organizationId, before.chatbotId);
  return threshold !== null && before.score < threshold && score >= threshold;
}

type Contact = Schemas["LeadContactInput"];

/** Columns of the members that are given; null empties one. */
function contactColumns(contact: Contact = {}): Partial<Lead> {
  const columns = {
    contactName: contact.name,
    contactEmail: contact.email,
    contactPhone: contact.phone,
    contactCompany: contact.company,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** The old values of what changed, apart from `updated_at`, which always does. */
function previousAttributes(before: object, after: object): Record<string, unknown> {
  const now = after as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => name !== "updated_at" && !isDeepStrictEqual(value, now[name]),
    ),
  );
}
