import { randomUUID } from "node:crypto";
import type { Prisma } from "@parley/database";
import type { DeliveryFixture } from "../src/testing/index.ts";

/** Returns the lowest UUIDv7 of a time, with a random end. */
export function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8${randomUUID().slice(20)}`;
}

interface Row {
  organizationId?: string;
  subscriptionId: string;
  eventId?: string;
  eventType?: string;
  /** Time of the attempt or, for a pending delivery, of its creation; ms since 1970. */
  at: number;
}

/** Writes a finished or failed attempt into the log. */
export async function logAttempt(
  { db, organizationId }: DeliveryFixture,
  { at, ...row }: Row & Partial<Prisma.DeliveryAttemptCreateManyInput>,
): Promise<string> {
  const deliveryId = row.deliveryId ?? idAt(at);
  await db.deliveryAttempt.create({
    data: {
      ...{
        organizationId,
        eventId: randomUUID(),
        eventType: "lead.created",
        attempt: 1,
        outcome: "delivered",
      },
      ...{ durationMs: 5, statusCode: 200, attemptedAt: new Date(at), deliveryId },
      ...row,
    },
  });
  return deliveryId;
}

/** Creates an event. */
export async function createEvent(
  { db, organizationId }: DeliveryFixture,
  event: Partial<Prisma.EventCreateManyInput> = {},
): Promise<string> {
  const createdAt = event.createdAt ?? new Date();
  const id = idAt(new Date(createdAt).getTime());
  await db.event.create({
    data: { id, organizationId, type: "lead.created", body: '{"data":{}}', createdAt, ...event },
  });
  return event.id ?? id;
}

/** Creates a pending delivery, and its event if none is given. */
export async function createPending(
  fixture: DeliveryFixture,
  {
    at,
    eventType = "lead.created",
    ...row
  }: Row & { attempts?: number; nextAt?: Date; redelivery?: boolean },
): Promise<string> {
  const organizationId = row.organizationId ?? fixture.organizationId;
  const eventId =
    row.eventId ?? (await createEvent(fixture, { organizationId, type: eventType, createdAt: new Date(at) }));
  const { id } = await fixture.db.delivery.create({
    data: { id: idAt(at), nextAt: new Date(at), ...row, organizationId, eventId },
  });
  return id;
}
