import type { Database } from "@parley/database";
import { z } from "zod";
import type { Statements } from "./statements.ts";

/** PostgreSQL channel that notifies delivery workers of pending deliveries and changed subscriptions. */
export const channel = "parley_webhooks";

/** PostgreSQL limits a payload to 8,000 bytes, so a longer list becomes "all". */
const maxIds = 200;

/** In lower case, as in the database, because workers compare IDs as text. */
const subscription = z.guid().transform((id) => id.toLowerCase());

const notification = z.discriminatedUnion("kind", [
  /** Deliveries are pending. */
  z.object({
    kind: z.literal("pending"),
    subscriptions: z.union([z.literal("all"), z.array(subscription).max(maxIds)]),
  }),
  /** The subscription was updated or deleted. */
  z.object({ kind: z.literal("changed"), subscription }),
]);

export type Notification = z.infer<typeof notification>;

/**
 * Parses the payload of a notification. It is untrusted input, because every database client can send one.
 *
 * @throws Error if the payload is malformed or its kind is unknown
 */
export function parseNotification(payload: string): Notification {
  return notification.parse(JSON.parse(payload));
}

/** Returns a notification about pending deliveries. */
export function pendingNotification(ids: string[]): Notification {
  return { kind: "pending", subscriptions: ids.length > maxIds ? "all" : ids };
}

/** Sends a notification to the delivery workers. */
export async function notify(db: Statements, message: Notification): Promise<void> {
  await db.query({
    name: "notify",
    text: "SELECT pg_notify($1, $2)",
    values: [channel, JSON.stringify(message)],
  });
}

/** Sends a notification through Prisma. In a transaction, it is sent at the commit. */
async function notifyByPrisma(db: Pick<Database, "$executeRaw">, message: Notification): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${channel}, ${JSON.stringify(message)})`;
}

/**
 * Notifies workers at the commit that a subscription was updated or deleted. The notification must be part of the
 * transaction, because a busy worker that does not receive it would keep using the old subscription.
 */
export function notifyChanged(tx: Pick<Database, "$executeRaw">, id: string): Promise<void> {
  return notifyByPrisma(tx, { kind: "changed", subscription: id });
}

/** Notifies workers at the commit that the signing key of an organization changed, for each subscription that it signs for. */
export async function notifySigningKeyChanged(
  tx: Pick<Database, "$executeRaw">,
  organizationId: string,
): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_notify(${channel}, json_build_object('kind', 'changed', 'subscription', id)::text)
    FROM subscriptions WHERE organization_id = ${organizationId}::uuid AND public_key_signature`;
}

/** PostgreSQL channel that notifies API processes of organizations with new events. */
export const eventsChannel = "parley_events";

const organizations = z.union([z.literal("all"), z.array(z.guid()).max(maxIds)]);

/**
 * Parses the payload of a notification about new events.
 *
 * @returns the IDs of the organizations, or all
 * @throws Error if the payload is malformed
 */
export function parseEventsNotification(payload: string): string[] | "all" {
  return organizations.parse(JSON.parse(payload));
}

/** What has been committed. */
interface Committed {
  /** Subscriptions with new pending deliveries. */
  subscriptions: string[];
  /** Organization with new events. */
  organization?: string | undefined;
}

/**
 * Returns a function that notifies, after a commit, workers of pending deliveries and API processes of new events. It is not part
 * of the transaction, because NOTIFY serializes the commits of the whole server. Calls while a notification is being
 * sent are combined into the next notification. If a notification is lost, a delivery is delayed by up to 500 ms and a waiting
 * reader of events by up to 5 seconds, until they poll.
 */
export function createCommitNotifier(
  db: Database,
  onError: (error: unknown) => void,
): (committed: Committed) => void {
  let subscriptions = new Set<string>();
  let withEvents = new Set<string>();
  let sending = false;

  async function send(): Promise<void> {
    sending = true;
    while (subscriptions.size + withEvents.size > 0) {
      const messages: [string, unknown][] = [];
      if (subscriptions.size > 0) messages.push([channel, pendingNotification([...subscriptions])]);
      if (withEvents.size > 0)
        messages.push([eventsChannel, withEvents.size > maxIds ? "all" : [...withEvents]]);
      subscriptions = new Set();
      withEvents = new Set();
      const channels = messages.map(([name]) => name);
      const payloads = messages.map(([, message]) => JSON.stringify(message));
      await db.$executeRaw`
        SELECT pg_notify(name, payload) FROM unnest(${channels}::text[], ${payloads}::text[]) AS message (name, payload)`.catch(
        onError,
      );
    }
    sending = false;
  }

  return (committed) => {
    for (const id of committed.subscriptions) subscriptions.add(id);
    if (committed.organization !== undefined) withEvents.add(committed.organization);
    if (!sending && subscriptions.size + withEvents.size > 0) void send();
  };
}
