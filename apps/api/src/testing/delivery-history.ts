import { randomBytes } from "node:crypto";
import type { Database } from "@parley/database";

/** Creates a UUIDv7 of a time. */
function idAt(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, "0");
  const random = randomBytes(8).toString("hex");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${randomBytes(6).toString("hex")}`;
}

/** Delivery to create in the database. */
export interface Past {
  status: "pending" | "delivered" | "exhausted";
  /** Time of its creation and first attempt. */
  at: Date;
  eventType?: string;
  /** Number of attempts, a minute apart. The last one decides the status of a finished delivery. */
  attempts?: number;
  test?: boolean;
  /** ID of another delivery's event. */
  eventId?: string;
  /** Record of the event. */
  recordId?: string;
  /** Exact body of the event. Default: its ID and type. */
  body?: string;
  /** Version of the subscription that the attempts sent. Default: none, so that the requests are unknown. */
  version?: number;
}

const minute = 60_000;
/** Addresses, timings, no public-key signature, and a response header, as the log stores them. */
const exchange = "203.0.113.7\n1 2 3 6\n\nx-receiver:seven";

/** Writes past deliveries with their events and attempts. */
export async function writeHistory(
  db: Database,
  { organizationId, subscriptionId }: { organizationId: string; subscriptionId: string },
  history: Past[],
): Promise<{ id: string; eventId: string }[]> {
  const written = [];
  for (const {
    status,
    at,
    eventType = "lead.created",
    attempts = status === "pending" ? 0 : 1,
    test = false,
    ...past
  } of history) {
    const id = idAt(at);
    const eventId = past.eventId ?? idAt(at);
    const ids = { organizationId, subscriptionId, eventId };
    if (!past.eventId && !test) {
      const { body = JSON.stringify({ id: eventId, type: eventType }), recordId = null } = past;
      await db.event.create({
        data: { id: eventId, organizationId, type: eventType, body, createdAt: at, recordId },
      });
    }
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const isLast = attempt === attempts && status !== "pending";
      const delivered = isLast && status === "delivered";
      await db.deliveryAttempt.create({
        data: {
          ...ids,
          deliveryId: id,
          attempt,
          attemptedAt: new Date(at.getTime() + (attempt - 1) * minute),
          eventType,
          outcome: isLast ? status : "failed",
          test,
          durationMs: 7,
          statusCode: delivered ? 200 : 500,
          error: delivered ? null : "the receiver responded with 500",
          responseBody: `response ${attempt}`,
          ...(past.version !== undefined && { version: past.version, exchange }),
        },
      });
    }
    if (status === "pending") {
      await db.delivery.create({
        data: { ...ids, id, attempts, nextAt: new Date(at.getTime() + attempts * minute) },
      });
    }
    written.push({ id, eventId });
  }
  return written;
}
