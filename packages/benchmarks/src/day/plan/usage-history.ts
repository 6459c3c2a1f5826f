import type { Item } from "../model/model.ts";
import { item } from "./step.ts";

/**
 * What was used before the day: three quarters of this month's allowance, so that the day reaches both thresholds; 85 % of
 * last month's in three parts; and all of the month before's at once.
 */
export function usageHistory(startedAt: number, allowance: number): Item[] {
  const usage = (id: string, monthsAgo: number, share: number) => {
    const now = new Date(startedAt);
    const occurred_at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo)).toISOString();
    return item("usage_record", id, {
      metric: "messages",
      quantity: Math.round(allowance * share),
      occurred_at,
    });
  };
  return [
    usage("until today", 0, 0.75),
    usage("last month 1", 1, 0.5),
    usage("last month 2", 1, 0.29),
    usage("last month 3", 1, 0.06),
    usage("before that", 2, 1.2),
  ];
}
