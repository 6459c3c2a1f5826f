import type { Schemas } from "@parley/contract";
import {
  button,
  type Content,
  card,
  descriptionList,
  disclosure,
  type Html,
  html,
  jsonBlock,
  table,
} from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { SubscriptionRow } from "../../webhooks/resource.ts";
import {
  deliveriesAddress,
  eventAddress,
  eventTypeAddress,
  webhookAddress,
  withQuery,
} from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { consolePage } from "../layout/console-page.ts";
import { confirmation, problem } from "../layout/messages.ts";
import { duration } from "../layout/numbers.ts";
import { urlLink } from "../layout/short-url.ts";
import { logTime, timeOfDay } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { canChange } from "../webhooks/plan-warning.ts";
import { recipientOf } from "./recipients.ts";
import { responseText, statusCell } from "./table.ts";
import { verification } from "./verification.ts";

type Details = Schemas["DeliveryDetails"];
type Attempt = Details["attributes"]["attempts"][number];

/** Renders a delivery: what happened, the request and the response of every attempt, the body, and how to verify it. */
export function deliveryPage(
  session: ConsoleSession,
  subscription: SubscriptionRow,
  delivery: Details,
  message: FlashMessage,
  now: Date,
): Page {
  const {
    attempts,
    body,
    event_id: eventId,
    event_type: type,
    test,
    created_at: createdAt,
  } = delivery.attributes;
  const last = attempts.at(-1);
  const entries: [string, Content][] = [
    ["Status", statusCell(delivery.attributes, recipientOf(subscription), now)],
    ["Last response", last ? responseText(last) : "none yet"],
    ["Webhook", urlLink(webhookAddress(subscription.id), subscription.targetUrl)],
    ["Event type", html`<a href="${eventTypeAddress(type)}"><code>${type}</code></a>`],
    [
      "Event",
      test
        ? html`<code>${eventId}</code>, a test`
        : html`<a href="${eventAddress(eventId)}"><code>${eventId}</code></a>`,
    ],
    ["Created", logTime(new Date(createdAt))],
  ];
  const content = html`
${confirmation(message)}
${problem("form", message)}
<div data-live>${descriptionList(entries)}</div>
${canChange(session) && !test && redelivery(session, delivery, subscription, now)}
<h2>Attempts</h2>
${attempts.length === 0 && html`<p class="quiet">Not sent yet.</p>`}
${attempts.toReversed().map((attempt, index) => attemptSection(attempt, index === 0))}
${card({ id: "body", title: "Body", content: bodySection(body) })}
${last?.request && body !== null && card({ id: "verify", title: "Verify it yourself", content: verification(delivery.id, last.request, body) })}`;
  return consolePage(session, {
    title: `Delivery ${delivery.id}`,
    heading: html`Delivery <code class="breakable">${delivery.id}</code>`,
    content,
    section: deliveriesAddress,
    parents: [[deliveriesAddress, "Deliveries"]],
  });
}

function redelivery(
  { csrfToken }: ConsoleSession,
  { attributes }: Details,
  { id, status, queue }: SubscriptionRow,
  now: Date,
): Html {
  const resume = withQuery(webhookAddress(id), { confirm: "resume" });
  if (status === "failed") {
    return html`<p class="quiet">The webhook is failed, so nothing is sent. <a href="${resume}">Resume it</a> to redeliver.</p>`;
  }
  const openUntil = queue?.circuitOpenUntil ?? null;
  const waits = openUntil !== null && openUntil > now ? openUntil : undefined;
  const isPending = attributes.status === "pending";
  const waiting =
    waits &&
    html`The webhook is retrying: nothing is sent before ${timeOfDay(waits, now)}. <a href="${resume}">Resume it</a> to send now.`;
  if (waiting && isPending) return html`<p class="quiet">${waiting}</p>`;
  const effect = isPending
    ? "Sends the delivery now, without waiting for the next attempt."
    : "Sends the same event again, as a new delivery with a new ID and signature.";
  return html`<form class="buttons" method="post">
${csrfField(csrfToken)}${button(isPending ? "Send now" : "Redeliver", { action: "redeliver", describedBy: "redelivery" })}
<span class="quiet" id="redelivery">${effect} ${waiting}</span></form>`;
}

function attemptSection(attempt: Attempt, open: boolean): Html {
  const {
    number,
    attempted_at: at,
    error,
    request,
    timings,
    addresses = [],
    response_headers: headers,
  } = attempt;
  const failure = error !== null && html`<p class="alert">${error}</p>`;
  const summary = html`Attempt ${number}: ${responseText(attempt)} <span class="quiet">${logTime(new Date(at))}</span>`;
  const response = html`
<h3>Response</h3>
${headers ? headerTable(`Response headers of attempt ${number}`, headers) : html`<p class="quiet">No response headers.</p>`}
${attempt.response_body ? jsonBlock(attempt.response_body) : html`<p class="quiet">No response body.</p>`}`;
  return disclosure(
    summary,
    html`
${failure}
${timings && timingList(timings, attempt.duration_ms, addresses)}
${request && html`<h3>Request</h3><p><code>POST <span class="breakable">${request.url}</span></code></p>${headerTable(`Request headers of attempt ${number}`, request.headers)}`}
${attempt.status_code !== null && response}`,
    { open, id: `attempt-${number}` },
  );
}

type Timings = NonNullable<Attempt["timings"]>;

function timingList(
  { dns_ms: dns, connect_ms: connect, tls_ms: tls, first_byte_ms: firstByte }: Timings,
  totalMs: number,
  addresses: string[],
): Html {
  const reused = dns === null && connect === null && addresses.length === 0;
  return descriptionList([
    ["Duration", duration(totalMs)],
    ["First byte", duration(firstByte)],
    [
      "Connection",
      reused ? "an open one" : html`DNS ${duration(dns)}, connect ${duration(connect)}, TLS ${duration(tls)}`,
    ],
    ...(addresses.length > 0
      ? [["Address", html`<code>${addresses.join(", ")}</code>`] as [string, Content]]
      : []),
  ]);
}

function headerTable(caption: string, headers: Record<string, string>): Html {
  return table(
    caption,
    ["Name", "Value"],
    Object.entries(headers).map(([name, value]) => [
      html`<code>${name}</code>`,
      html`<code class="breakable">${value}</code>`,
    ]),
  );
}

function bodySection(body: string | null): Html {
  if (body === null) return html`<p class="quiet">The event is no longer stored.</p>`;
  return html`${jsonBlock(body)}
${disclosure("Raw, as it was sent and signed", html`<pre class="code wrap" tabindex="0" data-copy><code>${body}</code></pre>`)}`;
}
