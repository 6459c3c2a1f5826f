import { randomBytes } from "node:crypto";
import type { Database } from "@parley/database";

/** A UUIDv7 of a time. */
function idAt(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, "0");
  const random = randomBytes(8).toString("hex");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${randomBytes(6).toString("hex")}`;
}

/** A delivery as it comes to stand in the database. */
export interface Past {
  status: "pending" | "delivered" | "exhausted";
  /** When it was made, and tried first. */
  at: Date;
  eventType?: string;
  /** Attempts, a minute apart; of a finished one the last decided. */
  attempts?: number;
  test?: boolean;
  /** Of another delivery's event. */
  eventId?: string;
}

const minute = 60_000;

/** Writes deliveries with their events and attempts, as time would have left them. */
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
      const body = JSON.stringify({ id: eventId, type: eventType });
      await db.event.create({ data: { id: eventId, organizationId, type: eventType, body, createdAt: at } });
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
          error: delivered ? null : "the receiver answered 500",
          responseBody: `answer ${attempt}`,
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
