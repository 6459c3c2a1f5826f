import { type Content, card, descriptionList, disclosure, emptyState, html, jsonBlock } from "@parley/ui";
import type { Page } from "../../oauth/pages/page.ts";
import { deliveriesAddress, eventsAddress, eventTypeAddress, withQuery } from "../addresses.ts";
import type { Recipients } from "../deliveries/recipients.ts";
import { type Delivery, deliveryTable } from "../deliveries/table.ts";
import { consolePage } from "../layout/console-page.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

/** Event with its deliveries. */
export interface EventDetails {
  id: string;
  type: string;
  createdAt: Date;
  recordId: string | null;
  body: string;
  chatbotName: string | undefined;
  deliveries: Delivery[];
  /** The organization's subscriptions. */
  recipients: Recipients;
}

/** Renders an event: its body, and its result at each subscription. */
export function eventPage(session: ConsoleSession, event: EventDetails, now: Date): Page {
  const { id, type, createdAt, recordId, body, chatbotName, deliveries, recipients } = event;
  const entries: [string, Content][] = [
    ["Event type", html`<a href="${eventTypeAddress(type)}"><code>${type}</code></a>`],
    ["Time", logTime(createdAt)],
  ];
  if (recordId !== null) {
    entries.push([
      "Record",
      html`<code>${recordId}</code> <a href="${withQuery(eventsAddress, { record: recordId })}">All its events</a>,
<a href="${withQuery(deliveriesAddress, { record: recordId })}">all its deliveries</a>`,
    ]);
  }
  if (chatbotName !== undefined) entries.push(["Chatbot", html`<bdi>${chatbotName}</bdi>`]);
  const content = html`
${descriptionList(entries)}
<h2>Deliveries</h2>
${
  deliveries.length > 0
    ? deliveryTable(deliveries, now, {
        caption: "Deliveries of the event",
        recipients,
        hides: ["type", "caption"],
      })
    : emptyState(
        "No webhook received this event: none that was active matched its type, chatbot and conditions.",
      )
}
${card({ id: "body", title: "Body", content: html`${jsonBlock(body)}${disclosure("Raw", html`<pre class="code wrap" tabindex="0" data-copy><code>${body}</code></pre>`)}` })}`;
  return consolePage(session, {
    title: `Event ${id}`,
    heading: html`Event <code class="breakable">${id}</code>`,
    content,
    section: eventsAddress,
    parents: [[eventsAddress, "Events"]],
  });
}
