import { eventTypes } from "@parley/contract";
import type { Subscription } from "@parley/database";
import { button, type Content, checkbox, field, type Html, html } from "@parley/ui";
import { canFillGap, isGapComplete, mostPendingCounted } from "@parley/webhooks";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { webhookAddress, webhooksAddress } from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { counted } from "../layout/numbers.ts";
import { shortUrl } from "../layout/short-url.ts";
import { dateAndTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

/** Action on a subscription that its page explains before it runs. */
export type ConfirmedAction = "test" | "resume" | "disable" | "rotate_secret" | "delete";

interface Explained {
  title: string;
  /** What the action does, and its options. */
  content: Content;
  label: string;
  kind?: "primary" | "danger";
}

/** What the pages say about the subscription's deliveries and events. */
interface Stored {
  /** Number of pending deliveries. */
  pending: number;
  /** Number of skipped events in the gap, at most `mostPendingCounted`. */
  skipped: number;
}

/** Renders the page that explains an action and asks to confirm it. */
export function confirmPage(
  session: ConsoleSession,
  row: Subscription,
  { action, ...stored }: { action: ConfirmedAction } & Stored,
): Page {
  const { title, content, label, kind = "primary" } = explanations[action](row, stored);
  const address = webhookAddress(row.id);
  const form = html`
<form class="stack" method="post" action="${address}">
${csrfField(session.csrfToken)}
${content}
<div class="buttons">
${button(label, { kind, action })}
${button("Cancel", { kind: "secondary", href: address })}
</div>
</form>`;
  return consolePage(session, {
    title,
    content: form,
    section: webhooksAddress,
    parents: [
      [webhooksAddress, "Webhooks"],
      [address, shortUrl(row.targetUrl)],
    ],
  });
}

const explanations: Record<ConfirmedAction, (row: Subscription, stored: Stored) => Explained> = {
  test: (row) => ({
    title: "Send a test event",
    label: "Send",
    content: html`
<p>This sends a sample event to <code>${shortUrl(row.targetUrl)}</code> now, signed like every delivery, with <code>"test": true</code> in its
body. It is sent once and not repeated. You see the response immediately. It changes nothing else, also not the state of a failed webhook.</p>
${field({
  label: "Event type",
  name: "event_type",
  value: row.eventTypes.includes("*") ? "lead.created" : (row.eventTypes[0] ?? ""),
  options: Object.fromEntries(eventTypes.map((type) => [type, type])),
})}`,
  }),

  resume: (row, { pending, skipped }) => ({
    title: "Resume deliveries",
    label: "Resume",
    content: html`
<p>${
      row.status === "failed"
        ? "The webhook becomes active, and new events are sent again."
        : "Deliveries continue now, without waiting for the next attempt."
    } ${pending > 0 && `${counted(pending, "pending delivery", "pending deliveries")} will be sent first.`} If the receiver still fails, they
are retried as before.</p>
${row.gapFrom && asksForGap(row) && gap(row, row.gapFrom, skipped)}`,
  }),

  disable: (_row, { pending }) => ({
    title: "Disable this webhook?",
    label: "Disable",
    content: html`
<p>Nothing is sent until you resume the webhook. ${
      pending > 0 && `${counted(pending, "pending delivery is", "pending deliveries are")} kept.`
    } Events that happen meanwhile are kept for seven days, so that you can send them then.</p>`,
  }),

  rotate_secret: () => ({
    title: "Rotate the signing secret",
    label: "Create a new secret",
    content: html`
<p>This creates a new signing secret, which is shown once. For 24 hours, deliveries are still signed with the old secret. Let your endpoint accept
both secrets in this time, and remove the old one after it.</p>
${checkbox({
  name: "immediately",
  label: "Use the new secret immediately",
  hint: "If the old secret has leaked. Your endpoint rejects deliveries until it has the new secret; they are retried.",
})}`,
  }),

  delete: (row, { pending }) => ({
    title: "Delete this webhook?",
    label: "Delete",
    kind: "danger",
    content: html`
<p>Nothing more is sent to <code>${shortUrl(row.targetUrl)}</code>. ${
      pending > 0 &&
      html`<strong>${counted(pending, "pending delivery is", "pending deliveries are")} discarded.</strong>`
    } Its log is removed. This cannot be undone.</p>`,
  }),
};

/** While the gap of an active webhook is filled, there is nothing to choose. */
function asksForGap(row: Subscription): boolean {
  return canFillGap(row) && (row.status === "failed" || !row.enabled || !row.fillingGap);
}

function gap(row: Subscription, from: Date, skipped: number): Html {
  const most = skipped >= mostPendingCounted ? "More than " : "";
  return checkbox({
    name: "fill_gap",
    label: "Also send the events that happened meanwhile",
    checked: true,
    hint: html`${most}${counted(skipped, "event has", "events have")} happened since ${dateAndTime(from)} and ${skipped === 1 ? "was" : "were"} not sent. They
are sent if they still match the webhook, before new ones. ${
      !isGapComplete(row) && html`Earlier ones are no longer stored and cannot be sent. `
    }Without this, these events are not sent, and after the next delivery they cannot be sent later.`,
  });
}
