/** Bodies of large events: loaded once for all subscriptions, within a limit of bytes. */

import type { Body } from "../delivery/sign.ts";
import type { Statements } from "../statements.ts";
import { type FoundDelivery, mostSmall, type PendingDelivery } from "./pending-deliveries.ts";

/** Maximum bytes of large bodies that a worker keeps. In addition, each subscription may always have one. */
const mostBytes = 16 * 1024 * 1024;

/** What a fetch returns after the limit was applied. */
interface Loaded {
  deliveries: PendingDelivery[];
  /** The subscriptions that did not get all of the deliveries that were found for them. */
  cut: Set<string>;
}

/**
 * Loads the large bodies of the deliveries that were found. If there are too many bytes, leaves out the last deliveries of each
 * subscription, so that all subscriptions get an equal number.
 *
 * @param found the deliveries of each subscription in their order
 * @param kept deliveries that the worker already has; it does not load their bodies again
 */
export async function loadLargeBodies(
  db: Statements,
  found: FoundDelivery[],
  kept: Iterable<PendingDelivery>,
): Promise<Loaded> {
  if (found.every(({ body }) => body !== null))
    return { deliveries: found as PendingDelivery[], cut: new Set() };
  const { bodies, bytes, subscriptions } = largeOf(kept);
  const { chosen, missing, cut } = choose(found, { known: new Set(bodies.keys()), bytes, subscriptions });
  if (missing.size > 0) {
    const { rows } = await db.query<{ id: string; body: string }>({
      name: "load-large-bodies",
      text: "SELECT id, body FROM events WHERE id = ANY ($1::uuid[])",
      values: [[...missing]],
    });
    for (const { id, body } of rows) bodies.set(id, Buffer.from(body));
  }
  const deliveries = chosen.flatMap((delivery) => {
    const body = delivery.body ?? bodies.get(delivery.eventId);
    return body === undefined ? [] : [{ ...delivery, body }]; // The event was removed in the meantime.
  });
  return { deliveries, cut };
}

function largeOf(kept: Iterable<PendingDelivery>) {
  const bodies = new Map<string, Body>();
  const subscriptions = new Set<string>();
  let bytes = 0;
  for (const { eventId, subscriptionId, body, bytes: size } of kept) {
    if (size <= mostSmall) continue;
    subscriptions.add(subscriptionId);
    if (bodies.has(eventId)) continue;
    bodies.set(eventId, body);
    bytes += size;
  }
  return { bodies, bytes, subscriptions };
}

interface Kept {
  /** Events whose bodies the worker has. */
  known: Set<string>;
  bytes: number;
  /** Subscriptions with a large body. */
  subscriptions: Set<string>;
}

/** Chooses the first delivery of each subscription, then the second of each, and so on. */
function choose(found: FoundDelivery[], { known, bytes, subscriptions }: Kept) {
  const counts = new Map<string, number>();
  const places = new Map(
    found.map((delivery) => {
      const place = counts.get(delivery.subscriptionId) ?? 0;
      counts.set(delivery.subscriptionId, place + 1);
      return [delivery, place] as const;
    }),
  );
  const missing = new Set<string>();
  const cut = new Set<string>();
  const left = new Set<FoundDelivery>();
  let used = bytes;
  for (const delivery of found.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))) {
    const { subscriptionId, eventId, body } = delivery;
    const isLarge = body === null;
    const isNew = isLarge && !known.has(eventId) && !missing.has(eventId);
    const fits = !isNew || used + delivery.bytes <= mostBytes || !subscriptions.has(subscriptionId);
    if (cut.has(subscriptionId) || !fits) {
      cut.add(subscriptionId);
      left.add(delivery);
      continue;
    }
    if (isLarge) subscriptions.add(subscriptionId);
    if (!isNew) continue;
    missing.add(eventId);
    used += delivery.bytes;
  }
  return { chosen: found.filter((delivery) => !left.has(delivery)), missing, cut };
}
