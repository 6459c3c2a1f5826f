import { type EventType, eventTypes } from "@parley/contract";
import type { Subscription } from "@parley/database";
import { card, emptyState, html, jsonBlock, table } from "@parley/ui";
import { sampleEvent } from "@parley/webhooks";
import type { Page } from "../../oauth/pages/page.ts";
import {
  eventsAddress,
  eventTypeAddress,
  eventTypesAddress,
  webhookAddress,
  withQuery,
} from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { inlineMarkdown } from "../layout/markdown.ts";
import { urlLink } from "../layout/short-url.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { meaningOf } from "./catalogue.ts";
import { fieldsOf } from "./fields.ts";

type Subscriber = Pick<
  Subscription,
  "id" | "targetUrl" | "eventTypes" | "chatbotId" | "conditions" | "status"
>;

/** Renders all event types, when they happen, and how many subscriptions receive them. */
export function eventTypesPage(session: ConsoleSession, subscriptions: Subscriber[]): Page {
  const rows = eventTypes.map((type) => [
    html`<a class="nowrap" href="${eventTypeAddress(type)}"><code>${type}</code></a>`,
    meaningOf(type).title,
    String(subscribersOf(type, subscriptions).length),
  ]);
  const content = html`<div data-search="Search event types">
${table("Event types", ["Event type", "When it happens", "Webhooks"], rows)}
</div>`;
  return consolePage(session, { title: "Event types", content, section: eventTypesAddress });
}

/** Renders an event type: when it happens, its fields, an example, and the subscriptions that receive it. */
export function eventTypePage(session: ConsoleSession, type: EventType, subscriptions: Subscriber[]): Page {
  const { title, text } = meaningOf(type);
  const subscribers = subscribersOf(type, subscriptions);
  const content = html`
<p><strong>${title}</strong> ${inlineMarkdown(text)}</p>
<p><a href="${withQuery(eventsAddress, { event_type: type })}">Latest events of this type</a> · <a href="/docs/events/${type}">Reference</a></p>
<h2>Webhooks that receive it</h2>
${
  subscribers.length > 0
    ? table(
        "Webhooks",
        ["URL", "Status", "Filters"],
        subscribers.map(({ id, targetUrl, status, chatbotId, conditions }) => [
          urlLink(webhookAddress(id), targetUrl),
          status,
          [chatbotId !== null && "one chatbot", conditions !== null && "conditions"]
            .filter(Boolean)
            .join(", ") || "none",
        ]),
      )
    : emptyState("No webhook receives this event type.")
}
<h2>Fields</h2>
${table(
  `Fields of ${type}`,
  ["Field", "Type", "Description"],
  fieldsOf(type).map((field) => [
    html`<code>${field.path}</code>`,
    field.type,
    inlineMarkdown(field.description),
  ]),
)}
${card({ id: "example", title: "Example", content: jsonBlock(JSON.stringify(sampleEvent(type))) })}`;
  return consolePage(session, {
    title: type,
    content,
    section: eventTypesAddress,
    parents: [[eventTypesAddress, "Event types"]],
  });
}

function subscribersOf(type: EventType, subscriptions: Subscriber[]): Subscriber[] {
  return subscriptions.filter(({ eventTypes: types }) => types.includes("*") || types.includes(type));
}
