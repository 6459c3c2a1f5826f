import type { Subscription } from "@parley/database";
import { button, emptyState, type Html, html, table } from "@parley/ui";
import type { SubscriptionQueueState } from "@parley/webhooks";
import type { Page } from "../../oauth/pages/page.ts";
import { webhookAddress, webhooksAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { confirmation } from "../layout/messages.ts";
import { urlLink } from "../layout/short-url.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { canChange, planWarning } from "./plan-warning.ts";
import { stateCell, subscriptionState } from "./state.ts";

/** Subscription with what the list shows of it. */
export interface ListedWebhook {
  row: Subscription;
  queue: SubscriptionQueueState;
  /** Attempts of the last 24 hours. */
  day: Html;
}

/** Renders the list of subscriptions. */
export function webhooksPage(
  session: ConsoleSession,
  webhooks: ListedWebhook[],
  message: FlashMessage,
  now: Date,
): Page {
  const rows = webhooks.map(({ row, queue, day }) => [
    urlLink(webhookAddress(row.id), row.targetUrl),
    stateCell(subscriptionState(row, queue, now)),
    row.eventTypes.includes("*") ? "All" : `${row.eventTypes.length}`,
    queue.lastDeliveryAt ? logTime(queue.lastDeliveryAt) : "never",
    day,
  ]);
  const offersNew = canChange(session);
  const content = html`
${confirmation(message)}
${planWarning(session)}
${offersNew && html`<div class="buttons">${button("New webhook", { href: `${webhooksAddress}/new` })}</div>`}
${
  rows.length > 0
    ? table("Webhook subscriptions", ["URL", "State", "Event types", "Last delivery", "24 hours"], rows)
    : emptyState(
        offersNew
          ? "No webhooks yet. Create one to receive events at your endpoint when they happen."
          : "No webhooks yet. An admin of your organization can create one.",
      )
}`;
  return consolePage(session, { title: "Webhooks", content, section: webhooksAddress });
}
