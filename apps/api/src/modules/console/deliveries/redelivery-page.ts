import type { Subscription } from "@parley/database";
import { button, field, filterForm, type Html, html, notice, warning } from "@parley/ui";
import { mostPendingCounted } from "@parley/webhooks";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { SubscriptionRow } from "../../webhooks/resource.ts";
import { deliveriesAddress, webhookAddress, webhooksAddress, withQuery } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { eventTypeField, timeFields } from "../layout/filters.ts";
import { problem } from "../layout/messages.ts";
import { count, counted, percent } from "../layout/numbers.ts";
import { shortUrl } from "../layout/short-url.ts";
import { dateAndTimeText, timeOfDay } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

/** Deliveries that a redelivery would repeat. */
export interface Range {
  status: "delivered" | "exhausted";
  eventType: string | undefined;
  since: string;
  until: string | undefined;
}

/**
 * Renders the filters of a redelivery with the number of deliveries that it would create.
 *
 * @param preview null if they could not be counted in time
 */
export function redeliveryPage(
  session: ConsoleSession,
  subscription: Subscription,
  range: Range,
  preview: number | null,
  message: FlashMessage,
): Page {
  const here = `${webhookAddress(subscription.id)}/redelivery`;
  const statuses = { exhausted: "Exhausted", delivered: "Delivered" };
  const content = html`
${problem("form", message)}
<p>Sends the events of finished deliveries to this webhook again. Each event gets a new delivery, in the original order. Events that already have a
pending delivery are left out.</p>
${filterForm({ label: "Range", clear: here }, [
  field({ label: "Deliveries that are", name: "status", value: range.status, options: statuses }),
  eventTypeField(range.eventType),
  ...timeFields(range),
])}
${start(session, range, preview)}`;
  return page(session, subscription, "Redeliver a range", content);
}

function start(
  { csrfToken }: ConsoleSession,
  { status, eventType, since, until }: Range,
  preview: number | null,
): Html {
  const from = dateAndTimeText(new Date(since));
  if (preview === 0) return html`<p class="empty">Nothing to redeliver since ${from}.</p>`;
  const what =
    preview === null
      ? "Many deliveries (they could not be counted in 5 seconds)"
      : counted(preview, "delivery", "deliveries");
  const hidden = Object.entries({ status, event_type: eventType, since, until }).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`
<form class="stack" method="post">
${csrfField(csrfToken)}${hidden}
<p><strong>${what}</strong> will be created, for events since ${from}${until !== undefined && ` and before ${dateAndTimeText(new Date(until))}`}.</p>
${button(preview === null ? "Redeliver" : `Redeliver ${count(preview)}`, { action: "redeliver" })}
</form>`;
}

/**
 * Renders the progress of a redelivery.
 *
 * @param pending number of its deliveries that are not finished, counted up to `mostPendingCounted`
 */
export function progressPage(
  session: ConsoleSession,
  subscription: SubscriptionRow,
  { created, pending }: { created: number; pending: number },
  now: Date,
): Page {
  const many = pending >= mostPendingCounted;
  const isDone = pending === 0;
  const list = withQuery(deliveriesAddress, { subscription_id: subscription.id });
  const progress = html`
<progress max="${created}" value="${created - Math.min(pending, created)}" aria-label="Finished deliveries"></progress>
<p>${many ? `More than ${count(mostPendingCounted)}` : count(pending)} of ${counted(created, "delivery", "deliveries")} pending, ${percent(created - Math.min(pending, created), created)} finished.</p>`;
  const content = html`
<div class="stack" data-live>
${created === 0 ? notice("Nothing was redelivered: the events already have pending deliveries, or are no longer stored.") : isDone ? notice(`Finished: ${counted(created, "delivery was", "deliveries were")} delivered or are exhausted. The list shows the outcome.`) : progress}
${!isDone && obstacle(subscription, now)}
<div class="buttons">
${!isDone && button("Update", { kind: "secondary", href: "" })}
${button("Show the deliveries", { kind: "secondary", href: list })}
${button("Back to the webhook", { kind: "secondary", href: webhookAddress(subscription.id) })}
</div>
</div>`;
  return page(session, subscription, "Redelivery", content);
}

/** Renders why the deliveries are not sent now. */
function obstacle({ status, queue, failureReason }: SubscriptionRow, now: Date): Html {
  if (status === "failed") return warning("The webhook failed in the meantime. Resume it to continue.");
  const openUntil = queue?.circuitOpenUntil ?? null;
  if (openUntil === null || openUntil <= now) return html``;
  return warning(html`The webhook is retrying: ${failureReason}. Next attempt ${timeOfDay(openUntil, now)}.`);
}

function page(session: ConsoleSession, { id, targetUrl }: Subscription, title: string, content: Html): Page {
  return consolePage(session, {
    title,
    content,
    section: webhooksAddress,
    parents: [
      [webhooksAddress, "Webhooks"],
      [webhookAddress(id), shortUrl(targetUrl)],
    ],
  });
}
