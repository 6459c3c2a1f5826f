import type { Subscription } from "@parley/database";
import { button, type Content, card, descriptionList, emptyState, type Html, html } from "@parley/ui";
import { isGapComplete, mostPendingCounted } from "@parley/webhooks";
import type { Page } from "../../oauth/pages/page.ts";
import { conditionsOf } from "../../webhooks/conditions.ts";
import {
  deliveriesAddress,
  eventTypeAddress,
  webhookAddress,
  webhooksAddress,
  withQuery,
} from "../addresses.ts";
import { deliveryFigures } from "../deliveries/figures.ts";
import { recipientOf } from "../deliveries/recipients.ts";
import { type Delivery, deliveryTable } from "../deliveries/table.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { confirmation, newSecret, problem } from "../layout/messages.ts";
import { count, counted } from "../layout/numbers.ts";
import { shortUrl } from "../layout/short-url.ts";
import { date, dateAndTime, logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { canChange, planWarning } from "./plan-warning.ts";
import type { Webhook } from "./read-webhook.ts";
import { stateBadge, subscriptionState } from "./state.ts";

/** Renders the page of a subscription: its state, what happens next, its settings and its latest deliveries. */
export function webhookPage(
  session: ConsoleSession,
  webhook: Webhook,
  message: FlashMessage,
  now: Date,
): Page {
  const { row } = webhook;
  const content = html`
${confirmation(message)}
${problem("form", message)}
${newSecret("Signing secret", message)}
${message.secret !== undefined && secretHelp}
${planWarning(session)}
<div data-live>${stateCard(webhook, now)}</div>
${canChange(session) && actions(webhook)}
<div class="stack" data-live>
${deliveryFigures(webhook.hours, webhook.durations, [webhook.queue])}
${webhook.chart}
${card({ id: "deliveries", title: "Latest deliveries", content: latest(webhook, webhook.deliveries, canChange(session), now) })}
${card({ id: "settings", title: "Settings", content: settings(webhook) })}`;
  const parents: [string, string][] = [[webhooksAddress, "Webhooks"]];
  const heading = html`<bdi class="breakable">${shortUrl(row.targetUrl)}</bdi>`;
  return consolePage(session, { title: row.targetUrl, heading, content, section: webhooksAddress, parents });
}

const secretHelp = html`<p class="quiet">Your endpoint verifies with this secret that a request is authentic.
<a href="/docs/guides/verification">Verify deliveries</a></p>`;

function stateCard({ row, queue, skipped }: Webhook, now: Date): Html {
  const state = subscriptionState(row, queue, now);
  const { lastAttempt } = queue;
  const entries: [string, Content][] = [
    ["State", html`${stateBadge(state)} ${state.reason ?? ""}`],
    ["What happens next", state.next],
    ["Last delivery", queue.lastDeliveryAt ? logTime(queue.lastDeliveryAt) : "never"],
  ];
  if (lastAttempt?.error) {
    entries.push(["Last attempt", html`${logTime(lastAttempt.attemptedAt)}: ${lastAttempt.error}`]);
  }
  if (row.failedAt) entries.push(["Failed since", dateAndTime(row.failedAt)]);
  if (row.gapFrom && (skipped > 0 || !isGapComplete(row))) {
    entries.push(["Events without deliveries", gapText(row, row.gapFrom, skipped)]);
  }
  if (queue.oldestPendingAt) entries.push(["Oldest pending", logTime(queue.oldestPendingAt)]);
  if (row.nextSecretAt && row.nextSecretAt > now) {
    entries.push([
      "Secret",
      html`The new secret is used from ${dateAndTime(row.nextSecretAt)} on. Accept both until then.`,
    ]);
  }
  return card({ id: "state", title: "State", content: descriptionList(entries) });
}

function gapText(row: Subscription, from: Date, skipped: number): Html {
  const most = skipped >= mostPendingCounted ? "More than " : "";
  const isFilling = row.fillingGap && row.enabled && row.status === "active";
  return html`${most}${count(skipped)} since ${dateAndTime(from)}. ${
    !isGapComplete(row) && "Earlier ones are no longer stored. "
  }${isFilling ? "Their deliveries are created now, and new events follow after them." : "Resume the webhook to send them."}`;
}

function actions({ row }: Webhook): Html {
  const address = webhookAddress(row.id);
  const action = (name: string, label: string, kind: "primary" | "secondary" | "danger" = "secondary") =>
    button(label, { kind, href: withQuery(address, { confirm: name }) });
  const canResume = row.status === "failed" || row.failureCount > 0 || !row.enabled;
  return html`<div class="buttons">
${canResume && action("resume", "Resume …", "primary")}
${action("test", "Send test event …")}
${button("Edit", { kind: "secondary", href: `${address}/edit` })}
${row.enabled && action("disable", "Disable …")}
${action("rotate_secret", "Rotate secret …")}
${action("delete", "Delete …", "danger")}
</div>`;
}

function latest({ row }: Webhook, deliveries: Delivery[], managesWebhooks: boolean, now: Date): Html {
  if (deliveries.length === 0) {
    return emptyState(
      "No deliveries yet. The first one is sent when an event happens, or when you send a test event.",
    );
  }
  const recipients = new Map([[row.id, recipientOf(row)]]);
  const all = withQuery(deliveriesAddress, { subscription_id: row.id });
  return html`
${deliveryTable(deliveries, now, { caption: "Deliveries", recipients, hides: ["webhook", "caption"] })}
<div class="buttons">
${button("All deliveries", { kind: "secondary", href: all })}
${managesWebhooks && row.status === "active" && row.enabled && button("Redeliver a range …", { kind: "secondary", href: `${webhookAddress(row.id)}/redelivery` })}
</div>`;
}

/** Returns who created a webhook, and with what. */
function creator({ user, client }: Webhook["row"]): string {
  const person = user?.name ?? "a user who is not known, or was deleted";
  return client ? `${person}, with ${client.name}` : person;
}

function settings({ row, chatbotName, publicKeysUrl }: Webhook): Html {
  const conditions = conditionsOf(row);
  const entries: [string, Content][] = [
    ["URL", html`<span class="breakable">${row.targetUrl}</span>`],
    ["ID", html`<code>${row.id}</code>`],
    [
      "Event types",
      row.eventTypes.includes("*") ? "All, also types that are added later" : typeLinks(row.eventTypes),
    ],
    ["Created", date(row.createdAt)],
    ["Created by", creator(row)],
  ];
  if (chatbotName !== undefined) entries.push(["Chatbot", html`<bdi>${chatbotName}</bdi>`]);
  if (conditions) {
    entries.push([
      "Conditions",
      html`<ul>${conditions.map(({ field, op, value }) => html`<li><code>${field} ${op} ${JSON.stringify(value ?? true)}</code></li>`)}</ul>`,
    ]);
  }
  if (row.headerNames.length > 0) entries.push(["Headers", html`<code>${row.headerNames.join(", ")}</code>`]);
  if (row.rateLimit !== null)
    entries.push(["Rate limit", `${counted(row.rateLimit, "delivery", "deliveries")} per second`]);
  if (row.ordering !== null) entries.push(["Order", "The events of each record are sent in order."]);
  if (publicKeysUrl !== undefined) {
    entries.push(["Public keys", html`<a class="breakable" href="${publicKeysUrl}">${publicKeysUrl}</a>`]);
  }
  return descriptionList(entries);
}

function typeLinks(types: string[]): Html {
  return html`<ul class="inline">${types.map((type) => html`<li><a href="${eventTypeAddress(type)}"><code>${type}</code></a></li>`)}</ul>`;
}
