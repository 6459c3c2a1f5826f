import type { EventType, Schemas } from "@parley/contract";
import { type DayEvent, describe, type References, type Resource } from "../describe.ts";
import type { Chatbot } from "./chatbots.ts";
import type { Conversation } from "./conversations.ts";
import type { Feedback } from "./feedback.ts";
import type { Lead } from "./leads.ts";
import type { Meeting } from "./meetings.ts";
import type { Message } from "./messages.ts";
import type { Ticket } from "./tickets.ts";
import type { ToolRun } from "./tool-runs.ts";
import type { UsageRecord } from "./usage.ts";

export type Item = Schemas["PlatformItem"];
export type ItemType = Item["type"];
export type Attributes<Type extends ItemType> = Extract<Item, { type: Type }>["attributes"];
/** What becomes of one item. */
export type Result = Schemas["UpsertResult"] | "failed";

/** What the platform has to be refused. */
export class Refused extends Error {}

interface Records {
  chatbot: Chatbot;
  lead: Lead;
  conversation: Conversation;
  message: Message;
  ticket: Ticket;
  meeting: Meeting;
  message_feedback: Feedback;
  tool_run: ToolRun;
  usage_record: UsageRecord;
}

/** A record as the model keeps it: in the API's names, but by the platform's own ids. */
export interface Kept {
  attributes: object;
  /** `chatbot_id`, `lead_id` and so on, each as a name such as `lead/lead-17`. */
  references: References;
}

/** Everything that was written so far, and the events that follow from it. */
export class World {
  readonly events: DayEvent[] = [];
  readonly #records = new Map<string, Records[ItemType]>();

  find<Type extends ItemType>(type: Type, externalId: string): Records[Type] | undefined {
    return this.#records.get(nameOf(type, externalId)) as Records[Type] | undefined;
  }

  /** All records of a kind, by their names. */
  all<Type extends ItemType>(type: Type): [string, Records[Type]][] {
    const entries = [...this.#records] as [string, Records[Type]][];
    return entries.filter(([name]) => name.startsWith(`${type}/`));
  }

  keep<Type extends ItemType>(type: Type, externalId: string, record: Records[Type]): void {
    this.#records.set(nameOf(type, externalId), record);
  }

  /**
   * The name of a record that another one names; null and undefined stay what they are.
   *
   * @throws Refused when there is no such record
   */
  reference<Id extends string | null | undefined>(type: ItemType, externalId: Id): Id {
    if (typeof externalId !== "string") return externalId;
    if (!this.find(type, externalId)) throw new Refused(`there is no ${type} ${externalId}`);
    return nameOf(type, externalId) as Id;
  }

  /**
   * @param name kind and the platform's own id of the record
   * @param previous old values of what changed, where the event tells them
   */
  publish(type: EventType, name: string, { attributes, references }: Kept, previous?: object): void {
    this.events.push({
      type,
      chatbot: references["chatbot_id"] ?? null,
      record: name,
      content: describe(name.slice(0, name.indexOf("/")) as Resource, attributes, references, previous),
    });
  }
}

export function nameOf(type: string, externalId: string): string {
  return `${type}/${externalId}`;
}
