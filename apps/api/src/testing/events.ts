import type { EventOf, EventType } from "@parley/contract";
import { checkEvent } from "@parley/contract/testing";
import { expect } from "vitest";
import type { TestApi } from "./api-server.ts";
import type { Tenant } from "./factories.ts";

export type AnyEvent = { [Type in EventType]: EventOf<Type> & { previous_attributes?: object } }[EventType];

/** Returns and removes a tenant's recorded events, in order, after checking each against the contract. */
export async function takeEvents(api: TestApi, { organizationId }: Tenant): Promise<AnyEvent[]> {
  const rows = await api.db.event.findMany({ where: { organizationId }, orderBy: { id: "asc" } });
  await api.db.event.deleteMany({ where: { organizationId } });
  const events = rows.map(({ body }) => JSON.parse(body) as AnyEvent);
  for (const event of events) expect(checkEvent(event.type, event)).toEqual([]);
  return events;
}
