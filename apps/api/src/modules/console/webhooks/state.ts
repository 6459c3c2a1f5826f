import type { Subscription } from "@parley/database";
import { badge, type Content, type Html, html } from "@parley/ui";
import { mostPendingCounted, type SubscriptionQueueState } from "@parley/webhooks";
import { count, counted } from "../layout/numbers.ts";
import { timeOfDay } from "../layout/time.ts";

/** State of a subscription in words. */
export interface SubscriptionState {
  name: "Active" | "Delayed" | "Retrying" | "Failed" | "Disabled";
  /** Why, and when the next attempt is; undefined while nothing is wrong. */
  reason?: Content;
  /** What happens next, in sentences. */
  next: Content;
}

/** Age of the oldest pending delivery from which deliveries count as delayed. */
const delayedAfterMs = 60_000;

const kinds = {
  Active: "good",
  Delayed: "warning",
  Retrying: "warning",
  Failed: "alert",
  Disabled: "neutral",
} as const;

/** Returns the state of a subscription. @param queue state of its pending deliveries */
export function subscriptionState(
  subscription: Subscription,
  queue: SubscriptionQueueState,
  now: Date,
): SubscriptionState {
  const { enabled, status, failureCount, failureReason } = subscription;
  const why = failureReason ?? "the deliveries failed";
  const pending = pendingDeliveries(queue);
  const kept = queue.pending > 0 && html`${pending} kept.`;
  if (!enabled)
    return { name: "Disabled", next: html`Nothing is sent until the webhook is resumed. ${kept}` };
  if (status === "failed") {
    const times = failureCount > 1 ? ` (${count(failureCount)} times in a row)` : "";
    return {
      name: "Failed",
      reason: `${why}${times}`,
      next: html`Nothing is sent. ${kept} Repair the receiver, then resume the webhook.`,
    };
  }
  if (failureCount > 0) {
    const { circuitOpenUntil } = queue;
    const waits = circuitOpenUntil !== null && circuitOpenUntil > now;
    const when = waits ? html`next attempt ${timeOfDay(circuitOpenUntil, now)}` : "next attempt now";
    return {
      name: "Retrying",
      reason: html`${why}, ${when}`,
      next: html`${counted(failureCount, "attempt")} failed in a row. ${
        waits
          ? html`One delivery is sent at ${timeOfDay(circuitOpenUntil, now)}.`
          : "One delivery is sent now."
      } If it succeeds, the others follow. After five failures in a row, nothing more is sent until the webhook is resumed.`,
    };
  }
  const { oldestPendingAt } = queue;
  if (oldestPendingAt !== null && now.getTime() - oldestPendingAt.getTime() > delayedAfterMs) {
    return {
      name: "Delayed",
      reason: html`the oldest delivery waits since ${timeOfDay(oldestPendingAt, now)}`,
      next: `${pending} waiting. ${causeOfDelay(subscription)}`,
    };
  }
  const next =
    queue.pending > 0
      ? `${pending} sent now.`
      : "Each event is sent when it happens. No delivery is pending.";
  return { name: "Active", next };
}

function causeOfDelay({ rateLimit, ordering }: Subscription): string {
  if (rateLimit !== null)
    return `At most ${counted(rateLimit, "delivery is", "deliveries are")} sent per second.`;
  if (ordering !== null)
    return "The events of a record wait until the previous one is delivered or exhausted.";
  return "They are sent as fast as the receiver responds. If none arrives for minutes, tell the operator of the server.";
}

/** Returns how many deliveries are pending, with the verb, for example `3 pending deliveries are`. */
function pendingDeliveries({ pending }: SubscriptionQueueState): string {
  const most = pending >= mostPendingCounted ? "More than " : "";
  return `${most}${counted(pending, "pending delivery", "pending deliveries")} ${pending === 1 ? "is" : "are"}`;
}

/** Renders the name of a state with its reason, for lists. */
export function stateCell({ name, reason }: SubscriptionState): Html {
  return html`${badge(name, kinds[name])}${reason !== undefined && html` <span class="quiet">${reason}</span>`}`;
}

/** Renders the name of a state. */
export function stateBadge({ name }: SubscriptionState): Html {
  return badge(name, kinds[name]);
}
