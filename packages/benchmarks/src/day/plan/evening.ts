import type { Attributes, Item, Model } from "../model/model.ts";
import { item } from "./step.ts";
import { minute } from "./subject.ts";

/**
 * What is written after the reminders: of the meetings that were reminded of some move and are due again, some are
 * cancelled and some change nothing but their titles; and this month's usage is corrected down and up again.
 */
export function eveningItems(model: Model, startedAt: number, usage: Item): Item[] {
  const reminded = model.all("meeting").filter(({ remindedOf }) => remindedOf !== undefined);
  const changes = reminded.slice(0, 12).map(({ name, attributes }, index) => {
    const { title, starts_at, ends_at, timezone } = attributes as Attributes<"meeting">;
    const state = { title, starts_at, ends_at, timezone };
    const start = startedAt + 58 * minute; // Still within the hour.
    const moved = { starts_at: isoTime(start), ends_at: isoTime(start + 15 * minute) };
    const kinds = [moved, { status: "cancelled" as const }, { title: "Another title" }];
    return item("meeting", name.slice("meeting/".length), { ...state, ...kinds[index % kinds.length] });
  });
  const nothing = { ...usage, attributes: { ...usage.attributes, quantity: 0 } } as Item;
  return [...changes, nothing, usage];
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
