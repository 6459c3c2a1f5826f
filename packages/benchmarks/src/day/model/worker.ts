import type { Model } from "./model.ts";

/** Reminds of each scheduled meeting that starts within the hour, once per start. */
export function remind(model: Model, now: number): void {
  for (const meeting of model.all("meeting")) {
    const { status, starts_at } = meeting.attributes;
    const ahead = Date.parse(String(starts_at)) - now;
    if (status !== "scheduled" || ahead <= 0 || ahead > 3_600_000 || meeting.remindedOf === starts_at)
      continue;
    meeting.remindedOf = String(starts_at);
    model.publish("meeting.reminder", meeting);
  }
}

/**
 * Publishes the thresholds that each month has reached at the end. Senders write concurrently, so the record that reaches a
 * threshold is not known. No month's sum is ever higher than at the end, so the thresholds are.
 */
export function reachThresholds(model: Model, allowance: number): void {
  const months = new Map<string, number>();
  for (const { attributes } of model.all("usage_record")) {
    const month = new Date(String(attributes["occurred_at"])).toISOString().slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + Number(attributes["quantity"]));
  }
  for (const [month, used] of months) {
    const start = new Date(month);
    const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
    const [period_start, period_end] = [start.toISOString(), end.toISOString()];
    for (const threshold_percent of [80, 100].filter((percent) => used * 100 >= allowance * percent)) {
      const attributes = { metric: "messages", period_start, period_end, allowance, threshold_percent };
      model.publish("usage.threshold_reached", { name: `usage/${period_start}`, attributes, references: {} });
    }
  }
}
