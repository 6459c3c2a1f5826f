import { figures, type Html, html } from "@parley/ui";
import {
  type Durations,
  type HourOfDeliveries,
  mostPendingCounted,
  type SubscriptionQueueState,
} from "@parley/webhooks";
import { count, counted, duration, percent } from "../layout/numbers.ts";
import { logTime } from "../layout/time.ts";

/** Renders how deliveries went in the last 24 hours, and what is pending. @param queues of one or of all subscriptions */
export function deliveryFigures(
  hours: HourOfDeliveries[],
  { p50, p95 }: Durations,
  queues: SubscriptionQueueState[],
): Html {
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  const attempts = hours.reduce((sum, hour) => sum + hour.delivered + hour.failed + hour.exhausted, 0);
  const pending = queues.reduce((sum, queue) => sum + queue.pending, 0);
  const isMore = queues.some((queue) => queue.pending >= mostPendingCounted);
  const oldest = Math.min(...queues.flatMap(({ oldestPendingAt }) => oldestPendingAt?.getTime() ?? []));
  return figures([
    {
      label: "Successful attempts",
      value: percent(delivered, attempts),
      hint: `of ${counted(attempts, "attempt")} in 24 hours`,
    },
    {
      label: "Response time, median",
      value: duration(p50),
      hint: p95 === null ? "no response in 24 hours" : `95 % are faster than ${duration(p95)}`,
    },
    {
      label: "Pending deliveries",
      value: `${isMore ? "more than " : ""}${count(pending)}`,
      hint: Number.isFinite(oldest) ? html`the oldest since ${logTime(new Date(oldest))}` : "none is waiting",
    },
  ]);
}
