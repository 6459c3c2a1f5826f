import type { Schemas } from "@parley/contract";
import { badge, type Content, type Html, html, table } from "@parley/ui";
import { deliveryAddress, eventTypeAddress, webhookAddress } from "../addresses.ts";
import { duration } from "../layout/numbers.ts";
import { urlLink } from "../layout/short-url.ts";
import { logTime, timeOfDay } from "../layout/time.ts";
import type { Recipient, Recipients } from "./recipients.ts";

/** Delivery with its last attempt. */
export type Delivery = Schemas["Delivery"];

interface Options {
  caption: string;
  /** The organization's subscriptions. */
  recipients: Recipients;
  /** Columns that are not shown, because all rows have the same value, and the caption, because a heading says the same. */
  hides?: ("type" | "webhook" | "caption")[];
}

/** Renders deliveries as a table. */
export function deliveryTable(
  deliveries: Delivery[],
  now: Date,
  { caption, recipients, hides = [] }: Options,
): Html {
  const [showsType, showsWebhook] = [!hides.includes("type"), !hides.includes("webhook")];
  const columns = [
    "Time",
    "Status",
    showsType && "Event type",
    "Attempts",
    "Response",
    showsWebhook && "Webhook",
  ];
  const rows = deliveries.map(({ id, attributes }) => {
    const {
      subscription_id: subscriptionId,
      event_type: type,
      attempt_count: attempts,
      last_attempt: last,
    } = attributes;
    // The list is sorted by this time.
    const isPending = attributes.status === "pending" || last === null;
    const time = new Date(isPending ? attributes.created_at : last.attempted_at);
    const recipient = recipients.get(subscriptionId);
    return [
      html`<a href="${deliveryAddress({ subscriptionId, id })}">${logTime(time)}</a>`,
      statusCell(attributes, recipient, now),
      showsType && html`<a class="nowrap" href="${eventTypeAddress(type)}"><code>${type}</code></a>`,
      String(attempts),
      last ? responseText(last) : "–",
      showsWebhook && urlLink(webhookAddress(subscriptionId), recipient?.targetUrl ?? subscriptionId),
    ];
  });
  return table(caption, shown(columns), rows.map(shown), { hidesCaption: hides.includes("caption") });
}

/** Returns the cells that are not hidden. */
function shown<Cell extends Content>(cells: (Cell | false)[]): Cell[] {
  return cells.filter((cell): cell is Cell => cell !== false);
}

type DeliveryState = Pick<
  Delivery["attributes"],
  "status" | "attempt_count" | "next_attempt_at" | "test" | "redelivery"
>;

/** Renders the status of a delivery: a badge, when the next attempt is, and whether it is a test or a redelivery. */
export function statusCell(state: DeliveryState, recipient: Recipient | undefined, now: Date): Html {
  const { status, test, redelivery = false } = state;
  const [name, kind] = statusOf(state);
  return html`${badge(name, kind)}
${status === "pending" && html`<span class="quiet">${nextAttempt(state, recipient, now)}</span>`}
${test && badge("Test")}${redelivery && badge("Redelivery")}`;
}

function statusOf({
  status,
  attempt_count: attempts,
}: DeliveryState): [string, "good" | "warning" | "alert" | "neutral"] {
  if (status === "delivered") return ["Delivered", "good"];
  if (status === "exhausted") return ["Exhausted", "alert"];
  return attempts > 0 ? ["Retrying", "warning"] : ["Pending", "neutral"];
}

/** Returns when a pending delivery is sent. An open circuit breaker delays it. */
function nextAttempt(
  { next_attempt_at: next }: DeliveryState,
  recipient: Recipient | undefined,
  now: Date,
): Content {
  if (recipient?.status === "failed") return "waits until the webhook is resumed";
  const time = Math.max(Date.parse(next ?? ""), recipient?.circuitOpenUntil?.getTime() ?? 0);
  return time > now.getTime() ? html`next attempt ${timeOfDay(new Date(time), now)}` : "next attempt now";
}

/** Returns the response of an attempt in words, for example `503 after 84 ms`. */
export function responseText({
  status_code: status,
  duration_ms: ms,
  error,
}: Pick<Schemas["DeliveryAttempt"], "status_code" | "duration_ms" | "error">): string {
  if (status !== null) return `${status} after ${duration(ms)}`;
  return error ?? `no response after ${duration(ms)}`;
}
