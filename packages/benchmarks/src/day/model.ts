import { isDeepStrictEqual } from "node:util";
import type { EventType, Schemas } from "@parley/contract";
import { type ExpectedEvent, eventText } from "./events.ts";
import { emptyRecord, type Item, type ItemType, nameOf, type StoredRecord, type Values } from "./item.ts";
import { kinds, type Records } from "./kinds.ts";

/** The result of one item. */
export type Result = Schemas["UpsertResult"] | "failed";

/** The written records and the events that follow from them according to the contract. It shares no code with the server. */
export class Model implements Records {
  readonly #records = new Map<string, StoredRecord>();
  #events: ExpectedEvent[] = [];

  find(name: unknown): StoredRecord | undefined {
    return this.#records.get(String(name));
  }

  /** Returns all records of a kind. */
  all(type: ItemType): StoredRecord[] {
    return [...this.#records.values()].filter(({ name }) => name.startsWith(`${type}/`));
  }

  /** Returns the events since the last call. */
  takeEvents(): ExpectedEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  publish(
    type: EventType,
    { name, values }: Pick<StoredRecord, "name" | "values">,
    previous_attributes?: Values,
  ): void {
    const chatbot = (values["chatbot_id"] as string | undefined) ?? null;
    const body = { type, chatbot_id: chatbot, data: { id: name, attributes: values }, previous_attributes };
    this.#events.push({ type, chatbot, text: eventText(body) });
  }

  /** Writes an item, and the events that follow. */
  write({ type, external_id, attributes }: Item): Result {
    const kind = kinds[type];
    const name = nameOf(type, external_id);
    const old = this.find(name);
    const given = withReferences(attributes);
    const references = Object.keys(given).filter((field) => field.endsWith("_id") && given[field] !== null);
    if (references.some((field) => !this.find(given[field]))) return "failed";
    const contradicts = (field: string) =>
      field in given && !isDeepStrictEqual(given[field], old?.values[field]);
    if (old && kind.fixed?.some(contradicts)) return "failed";
    if (kind.refuses?.(given, old?.values, this)) return "failed";

    const empty = emptyRecord(type);
    const parent = this.find(given[kind.parent ?? ""])?.values ?? {};
    const inherited = Object.keys(empty).filter((field) => field.endsWith("_id") && field in parent);
    const base = old?.values ?? {
      ...empty,
      ...Object.fromEntries(inherited.map((field) => [field, parent[field]])),
      ...kind.defaults,
    };
    for (const [field, value] of Object.entries(empty)) {
      if (value !== null && field in given)
        given[field] = { ...(base[field] as object), ...(given[field] as object) };
    }
    Object.assign(given, kind.derive?.(given, old?.values, this));
    const changes = Object.keys(given).filter((field) => !isDeepStrictEqual(given[field], base[field]));
    if (old && changes.length === 0) return "unchanged";

    const previous = old && Object.fromEntries(changes.map((field) => [field, base[field]]));
    const record = old ?? { name, values: base, visitorMessages: [] };
    Object.assign(record.values, given);
    this.#records.set(name, record);
    kind.publish?.({
      model: this,
      record,
      values: record.values,
      previous,
      changed: (field) => !previous || field in previous,
      publish: (event, previous_attributes) => this.publish(event as EventType, record, previous_attributes),
    });
    return old ? "updated" : "created";
  }

  /** Publishes a reminder of each scheduled meeting that starts within the hour, once per start. */
  remind(now: number): void {
    for (const meeting of this.all("meeting")) {
      const { status, starts_at } = meeting.values;
      const ahead = Date.parse(String(starts_at)) - now;
      if (status !== "scheduled" || ahead <= 0 || ahead > 3_600_000) continue;
      if (meeting.remindedOf !== starts_at) this.publish("meeting.reminder", meeting);
      meeting.remindedOf = starts_at;
    }
  }

  /**
   * Publishes the thresholds that each month has reached at the end. Senders write concurrently, so the record that reaches
   * a threshold is not known. No month's sum is ever higher than at the end, so the thresholds are.
   */
  reachThresholds(allowance: number): void {
    const months = new Map<string, number>();
    for (const { values } of this.all("usage_record")) {
      const month = String(values["occurred_at"]).slice(0, 7);
      months.set(month, (months.get(month) ?? 0) + Number(values["quantity"]));
    }
    for (const [month, used] of months) {
      const start = new Date(month);
      const period_start = start.toISOString();
      const period_end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)).toISOString();
      for (const threshold_percent of [80, 100].filter((percent) => used * 100 >= allowance * percent)) {
        const values = { metric: "messages", period_start, period_end, allowance, threshold_percent };
        this.publish("usage.threshold_reached", { name: "usage", values });
      }
    }
  }
}

/** Returns the attributes as the API has them: `lead_id` with the record's name instead of `lead_external_id`. */
function withReferences(attributes: object): Values {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([field, value]: [string, unknown]) => {
      if (!field.endsWith("_external_id")) return [field, value];
      const type = field.slice(0, -"_external_id".length);
      return [`${type}_id`, typeof value === "string" ? nameOf(type, value) : null];
    }),
  );
}
