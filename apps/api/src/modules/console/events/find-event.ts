import { type Database, type Event, isUuid } from "@parley/database";

/** Finds an event of the organization without its body; null if it has no event with this ID, or it is no longer stored. */
export async function findEvent(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Omit<Event, "body"> | null> {
  return isUuid(id) ? db.event.findFirst({ where: { id, organizationId }, omit: { body: true } }) : null;
}

/** Like `findEvent`, with the body. */
export async function readEvent(db: Database, organizationId: string, id: string): Promise<Event | null> {
  return isUuid(id) ? db.event.findFirst({ where: { id, organizationId } }) : null;
}
