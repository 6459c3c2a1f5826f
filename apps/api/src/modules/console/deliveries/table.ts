import type { Schemas } from "@parley/contract";
import { badge, type Content, type Html, html, table } from "@parley/ui";
import { deliveryAddress, eventTypeAddress, webhookAddress } from "../addresses.ts";
import { duration } from "../layout/numbers.ts";
import { logTime, timeOfDay } from "../layout/time.ts";

/** Delivery with its last attempt. */
export type Delivery = Schemas["Delivery"];

interface Options {
  caption: string;
  /** URLs of subscriptions by ID, to show them as a column; undefined to leave the column out. */
  targetUrls?: Map<string, string> | undefined;
  /** Whether the event type is not shown, because all rows have the same. */
  hidesType?: boolean;
}

/** Renders deliveries as a table. */
export function deliveryTable(
  deliveries: Delivery[],
  now: Date,
  { caption, targetUrls, hidesType = false }: Options,
): Html {
  const columns = [
    "Time",
    "Status",
    ...(hidesType ? [] : ["Event type"]),
    "Attempts",
    "Response",
    ...(targetUrls ? ["Webhook"] : []),
  ];
  return table(
    caption,
    columns,
    deliveries.map((delivery) => row(delivery, now, targetUrls, hidesType)),
  );
}

function row(
  { id, attributes }: Delivery,
  now: Date,
  targetUrls: Map<string, string> | undefined,
  hidesType: boolean,
) {
  const {
    subscription_id: subscriptionId,
    event_type: type,
    attempt_count: attempts,
    last_attempt: last,
  } = attributes;
  const time = new Date(last?.attempted_at ?? attributes.created_at);
  const cells: Content[] = [
    html`<a href="${deliveryAddress({ subscriptionId, id })}">${logTime(time)}</a>`,
    statusCell(attributes, now),
  ];
  if (!hidesType) cells.push(html`<a href="${eventTypeAddress(type)}"><code>${type}</code></a>`);
  cells.push(String(attempts), last ? responseText(last) : "–");
  if (targetUrls) {
    const url = targetUrls.get(subscriptionId) ?? subscriptionId;
    cells.push(html`<a class="breakable" href="${webhookAddress(subscriptionId)}">${url}</a>`);
  }
  return cells;
}

type DeliveryState = Pick<
  Delivery["attributes"],
  "status" | "attempt_count" | "next_attempt_at" | "test" | "redelivery"
>;

/** Renders the status of a delivery: a badge, when the next attempt is, and whether it is a test or a redelivery. */
export function statusCell(state: DeliveryState, now: Date): Html {
  const { next_attempt_at: next, test, redelivery = false } = state;
  const [name, kind] = statusOf(state);
  const nextAt = next === null ? undefined : new Date(next);
  return html`${badge(name, kind)}
${name === "Retrying" && nextAt && html`<span class="quiet">next attempt ${nextAt > now ? timeOfDay(nextAt, now) : "now"}</span>`}
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

/** Returns the response of an attempt in words, for example `503 after 84 ms`. */
export function responseText({
  status_code: status,
  duration_ms: ms,
  error,
}: Pick<Schemas["DeliveryAttempt"], "status_code" | "duration_ms" | "error">): string {
  if (status !== null) return `${status} after ${duration(ms)}`;
  return error ?? `no response after ${duration(ms)}`;
}
