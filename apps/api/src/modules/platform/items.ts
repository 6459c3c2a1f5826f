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
import { ApiError, invalidField } from "../../http/api-error.ts";
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

/** Item of a batch. */
export type Item = Schemas["BatchItem"];
export type ItemType = Item["type"];
export type Attributes<Type extends ItemType> = Extract<Item, { type: Type }>["attributes"];

/** Functions that upsert a record of each type and publish its events. Their errors begin with `body/…`. */
export const writers = {
  chatbot: writer(upsertChatbot, chatbotResource),
  lead: writer(upsertLead, leadResource),
  conversation: writer(upsertConversation, conversationResource),
  message: writer(upsertMessage, messageResource),
  ticket: writer(upsertTicket, ticketResource),
  meeting: writer(upsertMeeting, meetingResource),
  message_feedback: writer(upsertFeedback, feedbackResource),
  tool_run: writer(upsertToolRun, toolRunResource),
  usage_record: writer(upsertUsageRecord, usageRecordResource),
};

/** Combines an upsert with the conversion of the row to a resource. */
function writer<Input, Row, Resource>(
  upsert: (change: Change, externalId: string, attributes: Input) => Promise<Written<Row>>,
  toResource: (row: Row) => Resource,
) {
  return async (change: Change, externalId: string, attributes: Input) => {
    const write = () => upsert(change, externalId, attributes);
    // If another request deletes the record after the upsert has found it, the upsert creates it again.
    const { row, result } = await write().catch((error) =>
      isNotFound(error) ? write() : Promise.reject(error),
    );
    return { resource: toResource(row), result };
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Resource after an upsert, and the upsert's result. */
export interface WriteResult<Resource> {
  resource: Resource;
  result: Schemas["UpsertResult"];
}

type Writers = {
  [Type in ItemType]: (
    change: Change,
    externalId: string,
    attributes: Attributes<Type>,
  ) => Promise<WriteResult<{ id: string }>>;
};

/** Upserts a record of any type. */
export function writeItem<Type extends ItemType>(
  change: Change,
  type: Type,
  externalId: string,
  attributes: Attributes<Type>,
): Promise<WriteResult<{ id: string }>> {
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
 * Validates an item of a batch against the contract.
 *
 * @param at path of the item in the request, for example `items/3`
 * @throws ApiError 400 whose description begins with the path of the invalid field
 */
export function checkItem(item: unknown, at: string): asserts item is Item {
  const check = checks.get((item as Partial<Item> | null)?.type ?? "");
  if (!check) throw invalidField(`${at}/type`, `must be one of ${[...checks.keys()].join(", ")}`);
  check(item, at);
}
