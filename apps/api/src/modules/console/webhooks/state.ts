import type { Subscription } from "@parley/database";
import { badge, type Content, type Html, html } from "@parley/ui";
import { mostPendingCounted, type SubscriptionQueueState } from "@parley/webhooks";
import { count, counted } from "../layout/numbers.ts";
import { timeOfDay } from "../layout/time.ts";

/** State of a subscription in words. */
export interface SubscriptionState {
  name: "Active" | "Retrying" | "Failed";
  /** Why, and when the next attempt is; undefined while nothing is wrong. */
  reason?: Content;
  /** What happens next, in sentences. */
  next: Content;
}

const kinds = { Active: "good", Retrying: "warning", Failed: "alert" } as const;

/** Returns the state of a subscription. @param queue state of its pending deliveries */
export function subscriptionState(
  { status, failureCount, failureReason }: Subscription,
  queue: SubscriptionQueueState,
  now: Date,
): SubscriptionState {
  const why = failureReason ?? "the deliveries failed";
  const pending = pendingDeliveries(queue);
  if (status === "failed") {
    const times = failureCount > 1 ? ` ${count(failureCount)} times in a row` : "";
    return {
      name: "Failed",
      reason: `${why}${times}`,
      next: html`Nothing is sent. ${queue.pending > 0 && html`${pending} kept.`} Repair the receiver, then resume the subscription.`,
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
      } If it succeeds, the others follow. After five failures in a row, nothing more is sent until the subscription is resumed.`,
    };
  }
  const next =
    queue.pending > 0
      ? `${pending} sent now.`
      : "Each event is sent when it happens. No delivery is pending.";
  return { name: "Active", next };
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
