import type { EventType, Schemas } from "@parley/contract";
import { type DayEvent, describe, type References, type Resource } from "../describe.ts";

export type Item = Schemas["PlatformItem"];
export type ItemType = Item["type"];
export type Attributes<Type extends ItemType> = Extract<Item, { type: Type }>["attributes"];
/** The result of one item. */
export type Result = Schemas["UpsertResult"] | "failed";

/** A record with the API's field names, but the platform's own ids. */
export interface Kept {
  /** Kind and external id, for example `lead/lead-17`. */
  name: string;
  attributes: Record<string, unknown>;
  /** `chatbot_id`, `lead_id` and so on; each is the name of a record. */
  references: References;
  /** Statuses that a lead has reached, or `resolved` while a ticket has a `resolved_at`. */
  reached: Set<string>;
  /** Messages of a conversation's visitor, in order. */
  said: Kept[];
  /** Start of the meeting that the last reminder was about. */
  remindedOf?: string;
}

/** Everything that was written so far, and the events that follow from it. */
export class Model {
  readonly events: DayEvent[] = [];
  readonly #records = new Map<string, Kept>();

  find(name: string | null | undefined): Kept | undefined {
    return this.#records.get(name ?? "");
  }

  /** Returns all records of a kind. */
  all(type: ItemType): Kept[] {
    return [...this.#records.values()].filter(({ name }) => name.startsWith(`${type}/`));
  }

  keep(record: Kept): void {
    this.#records.set(record.name, record);
  }

  /** @param previous old values of changed fields, if the event has them */
  publish(
    type: EventType,
    { name, attributes, references }: Pick<Kept, "name" | "attributes" | "references">,
    previous?: object,
  ): void {
    const content = describe(name.slice(0, name.indexOf("/")) as Resource, attributes, references, previous);
    this.events.push({ type, chatbot: references["chatbot_id"] ?? null, record: name, content });
  }
}

export function nameOf(type: string, externalId: string): string {
  return `${type}/${externalId}`;
}
