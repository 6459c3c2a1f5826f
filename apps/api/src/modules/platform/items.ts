import { description, type Schemas } from "@parley/contract";
import {
  chatbotResource,
  conversationResource,
  feedbackResource,
  leadResource,
  meetingResource,
  messageResource,
  ticketResource,
  toolRunResource,
  usageRecordResource,
} from "@parley/resources";
import type { Change } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import { createItemCheck } from "../../http/validation.ts";
import type { Written } from "../../records/written.ts";
import { upsertChatbot } from "../chatbots/upsert.ts";
import { upsertConversation, upsertMessage } from "../conversations/upsert.ts";
import { upsertFeedback } from "../feedback/upsert.ts";
import { upsertLead } from "../leads/upsert.ts";
import { upsertMeeting } from "../meetings/upsert.ts";
import { upsertTicket } from "../tickets/upsert.ts";
import { upsertToolRun } from "../tool-runs/upsert.ts";
import { upsertUsageRecord } from "../usage/upsert.ts";

/** A record as the platform tells it. */
export type Item = Schemas["BatchItem"];
export type ItemType = Item["type"];
export type Attributes<Type extends ItemType> = Extract<Item, { type: Type }>["attributes"];

/** Writes one record of each kind with its events. Errors name fields as `body/…`. */
export const writers = {
  chatbot: shown(upsertChatbot, chatbotResource),
  lead: shown(upsertLead, leadResource),
  conversation: shown(upsertConversation, conversationResource),
  message: shown(upsertMessage, messageResource),
  ticket: shown(upsertTicket, ticketResource),
  meeting: shown(upsertMeeting, meetingResource),
  message_feedback: shown(upsertFeedback, feedbackResource),
  tool_run: shown(upsertToolRun, toolRunResource),
  usage_record: shown(upsertUsageRecord, usageRecordResource),
};

function shown<Input, Row, Resource>(
  upsert: (change: Change, externalId: string, attributes: Input) => Promise<Written<Row>>,
  toResource: (row: Row) => Resource,
) {
  return async (change: Change, externalId: string, attributes: Input) => {
    const { row, result } = await upsert(change, externalId, attributes);
    return { resource: toResource(row), result };
  };
}

/** The resource after the write, and what became of it. */
export interface Outcome<Resource> {
  resource: Resource;
  result: Schemas["UpsertResult"];
}

type Writers = {
  [Type in ItemType]: (
    change: Change,
    externalId: string,
    attributes: Attributes<Type>,
  ) => Promise<Outcome<{ id: string }>>;
};

/** Writes one record of any kind. */
export function writeItem<Type extends ItemType>(
  change: Change,
  type: Type,
  externalId: string,
  attributes: Attributes<Type>,
): Promise<Outcome<{ id: string }>> {
  const byType: Writers = writers;
  return byType[type](change, externalId, attributes);
}

const checks = new Map(
  Object.entries(description.components.schemas.BatchItem.discriminator.mapping).map(([type, pointer]) => [
    type,
    createItemCheck(pointer),
  ]),
);

/**
 * Checks an item of a batch against the contract.
 *
 * @param at its place in the request, for example `items/3`
 * @throws ApiError 400 that names the field, what was wrong and what is accepted
 */
export function checkItem(item: unknown, at: string): asserts item is Item {
  const check = checks.get((item as Partial<Item> | null)?.type ?? "");
  if (!check) throw invalidField(`${at}/type`, `must be one of ${[...checks.keys()].join(", ")}`);
  check(item, at);
}
