import type { RequestOf } from "@parley/contract";
import type { Redelivery, Subscription } from "@parley/database";
import { button, field, filterForm, type Html, html, notice, warning } from "@parley/ui";
import type { RedeliveryPreview } from "@parley/webhooks";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { SubscriptionRow } from "../../webhooks/resource.ts";
import { deliveriesAddress, webhookAddress, webhooksAddress, withQuery } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { eventTypeField, timeFields } from "../layout/filters.ts";
import { problem } from "../layout/messages.ts";
import { count, counted } from "../layout/numbers.ts";
import { shortUrl } from "../layout/short-url.ts";
import { dateAndTimeText, timeOfDay } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

/** Deliveries that a redelivery would repeat, as in a request of the API. */
export type RangeBody = RequestOf<"redeliverWebhookDeliveries">["body"];

/** Renders the filters of a redelivery with the number of deliveries that it would create. */
export function redeliveryPage(
  session: ConsoleSession,
  subscription: Subscription,
  range: RangeBody,
  preview: RedeliveryPreview,
  message: FlashMessage,
): Page {
  const here = `${webhookAddress(subscription.id)}/redelivery`;
  const statuses = { exhausted: "Exhausted", delivered: "Delivered" };
  const content = html`
${problem("form", message)}
<p>Sends the events of finished deliveries to this webhook again. Each event gets a new delivery, in the order of the last attempts. Events that already have a
pending delivery are left out.</p>
${filterForm({ label: "Range", clear: here }, [
  field({
    label: "Deliveries that are",
    name: "status",
    value: range.status ?? "exhausted",
    options: statuses,
  }),
  eventTypeField(range.event_type),
  ...timeFields({ since: range.since, until: range.until }),
])}
${start(session, range, preview)}`;
  return page(session, subscription, "Redeliver a range", content);
}

function start(
  { csrfToken }: ConsoleSession,
  range: RangeBody,
  { deliveries, hasMore }: RedeliveryPreview,
): Html {
  const from = dateAndTimeText(new Date(range.since));
  if (deliveries === 0 && !hasMore) return html`<p class="empty">Nothing to redeliver since ${from}.</p>`;
  const what = `${hasMore ? "At least " : ""}${counted(deliveries, "delivery", "deliveries")}`;
  const hidden = Object.entries(range).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`
<form class="stack" method="post">
${csrfField(csrfToken)}${hidden}
<p><strong>${what}</strong> will be created, for events since ${from}${range.until !== undefined && ` and before ${dateAndTimeText(new Date(range.until))}`}.</p>
${button(hasMore ? "Redeliver" : `Redeliver ${count(deliveries)}`, { action: "redeliver" })}
</form>`;
}

/** Renders the progress of a redelivery. */
export function progressPage(
  session: ConsoleSession,
  subscription: SubscriptionRow,
  { since, until, searchedAt, deliveries, finishedAt }: Redelivery,
  now: Date,
): Page {
  const list = withQuery(deliveriesAddress, { subscription_id: subscription.id });
  const created = counted(deliveries, "delivery was", "deliveries were");
  const [done, all] = [searchedAt, until].map((time) => time.getTime() - since.getTime()) as [number, number];
  const state = finishedAt
    ? notice(
        deliveries === 0
          ? "Nothing was redelivered: the events already have pending deliveries, were delivered later, or are no longer stored."
          : `${created} created. The list shows their outcome.`,
      )
    : html`
<progress max="${all}" value="${done}" aria-label="Searched part of the range"></progress>
<p>${created} created so far, for attempts until ${dateAndTimeText(searchedAt)}. More follow when enough of the pending ones are sent.</p>
${obstacle(subscription, now)}`;
  const content = html`
<div class="stack" data-live>
${state}
<div class="buttons">
${!finishedAt && button("Update", { kind: "secondary", href: "" })}
${button("Show the deliveries", { kind: "secondary", href: list })}
${button("Back to the webhook", { kind: "secondary", href: webhookAddress(subscription.id) })}
</div>
</div>`;
  return page(session, subscription, "Redelivery", content);
}

/** Renders why the deliveries are not sent now. */
function obstacle({ enabled, status, queue, failureReason }: SubscriptionRow, now: Date): Html {
  if (!enabled) return warning("The webhook was disabled in the meantime. Enable it to continue.");
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
