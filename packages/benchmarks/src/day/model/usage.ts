import { type Attributes, type Kept, Refused, type Result, type World } from "./world.ts";

export interface UsageRecord extends Kept {
  attributes: { metric: string; quantity: number; occurred_at: string };
}

type Given = Attributes<"usage_record"> & { occurred_at: string };

export function writeUsage(world: World, id: string, given: Attributes<"usage_record">): Result {
  const { metric, quantity, occurred_at } = given as Given;
  const there = world.find("usage_record", id);
  if (!there) {
    world.keep("usage_record", id, { attributes: { metric, quantity, occurred_at }, references: {} });
    return "created";
  }
  const { attributes } = there;
  if (monthOf(attributes.occurred_at) !== monthOf(occurred_at)) throw new Refused("it counts in its month");
  if (attributes.quantity === quantity && attributes.occurred_at === occurred_at) return "unchanged";
  Object.assign(attributes, { quantity, occurred_at });
  return "updated";
}

/**
 * Which thresholds a month has reached at the end. Senders add to it side by side, so nobody knows at which record it
 * happens; as no month's sum is ever higher than at the end, it is known that it does.
 */
export function announceThresholds(world: World, allowance: number): void {
  const months = new Map<string, number>();
  for (const [, { attributes }] of world.all("usage_record")) {
    const month = monthOf(attributes.occurred_at);
    months.set(month, (months.get(month) ?? 0) + attributes.quantity);
  }
  for (const [month, used] of months) {
    for (const percent of [80, 100].filter((share) => used * 100 >= allowance * share)) {
      const start = new Date(month);
      const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
      const attributes = {
        metric: "messages",
        period_start: start.toISOString(),
        period_end: end.toISOString(),
        allowance,
        threshold_percent: percent,
      };
      world.publish("usage.threshold_reached", `usage/${start.toISOString()}`, {
        attributes,
        references: {},
      });
    }
  }
}

function monthOf(time: string): string {
  return new Date(time).toISOString().slice(0, 7);
}
