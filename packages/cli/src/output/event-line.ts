import { visible } from "@parley/command-line";
import type { FeedEvent } from "@parley/sdk";
import { eventTypes, type SentDelivery } from "@parley/sdk/testing";
import { dim, green, red } from "./colors.ts";

const longestType = Math.max(...eventTypes.map((type) => type.length));

/** Returns a line for an event: time, type, ID of the event, and ID of its record. */
export function eventLine({ created_at, type, id, data }: FeedEvent): string {
  return `${timeOf(created_at)}  ${type.padEnd(longestType)}  ${dim(`${id}  ${data.type} ${data.id}`)}`;
}

/** Returns a line for an attempt to deliver an event: time, result, duration, type, and ID of the event. */
export function deliveryLine(delivery: SentDelivery): string {
  const { event, delivered, status, durationMs, attempt } = delivery;
  const result = (delivered ? green : red)(String(status ?? "---"));
  const facts = [`${durationMs} ms`, attempt > 1 ? `attempt ${attempt}` : ""].filter(Boolean).join(", ");
  const line = `${timeOf(new Date().toISOString())}  ${result}  ${event.type.padEnd(longestType)}  ${dim(`${event.id}  ${facts}`)}`;
  const reason = delivered ? "" : reasonOf(delivery);
  return reason ? `${line}\n          ${red(reason)}` : line;
}

/** Returns an attempt as JSON. */
export function deliveryJson({ event, attempt, delivered, status, error, body, durationMs }: SentDelivery) {
  return {
    time: new Date().toISOString(),
    event_id: event.id,
    event_type: event.type,
    attempt,
    delivered,
    status: status ?? null,
    error: error ?? null,
    response_body: body,
    duration_ms: durationMs,
  };
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "Connection refused. Is your program running?",
  ENOTFOUND: "The host name is unknown.",
  timeout: "No response in time.",
};

function reasonOf({ error, body, status }: SentDelivery): string {
  if (error !== undefined) return reasons[error] ?? error;
  if (status !== undefined && status >= 300 && status < 400) return "Redirects are not followed.";
  const text = visible((body.trim().split("\n")[0] ?? "").slice(0, 200));
  if (!body.includes("signature_mismatch")) return text;
  return `${text}\n          Start your program with the secret of: parley listen --print-secret`;
}

/** Returns the local time of day. */
function timeOf(iso: string): string {
  return new Date(iso).toTimeString().slice(0, 8);
}
