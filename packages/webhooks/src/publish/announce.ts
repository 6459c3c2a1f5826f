import type { Database } from "@parley/database";
import type { Pool } from "pg";

/** The PostgreSQL channel on which workers hear of new deliveries and changed subscriptions. */
export const channel = "parley_webhooks";

/** A payload holds at most 8,000 bytes; beyond that workers are told to look at everything. */
const maxIds = 200;

export type Announcement =
  /** `to` is the worker that alone is meant; all of them unless it is given. */
  | { kind: "due"; subscriptions: string[] | "all"; to?: string | undefined }
  | { kind: "changed"; subscription: string }
  /** A worker has room for so many attempts at once, and nothing to send. */
  | { kind: "share"; worker: string; room: number };

/**
 * Tells workers, after the commit, which subscriptions have something due. It is not part of the transaction:
 * NOTIFY there serialises the commits of the whole server. Announcements that come while one is under way go out
 * together; one that is lost costs half a second, when workers look by themselves.
 */
export function announceDeliveries(db: Database): (subscriptions: string[]) => void {
  let waiting = new Set<string>();
  let sending = false;

  async function send(): Promise<void> {
    sending = true;
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting = new Set();
      await notify(db, dueAnnouncement(ids)).catch(() => undefined);
    }
    sending = false;
  }

  return (subscriptions) => {
    for (const id of subscriptions) waiting.add(id);
    if (!sending && waiting.size > 0) void send();
  };
}

/**
 * Tells workers, with the commit, that a subscription is changed or deleted: they let go of what they know of it. A busy one
 * would go on with what it has for as long as it is busy, so this must not get lost, and is part of the transaction.
 */
export async function announceChange(tx: Executor, subscription: string): Promise<void> {
  await notify(tx, { kind: "changed", subscription });
}

/** Tells workers, from one of them. */
export async function announce(db: Pool, announcement: Announcement): Promise<void> {
  const values = [channel, JSON.stringify(announcement)];
  await db.query({ name: "announce", text: "SELECT pg_notify($1, $2)", values });
}

/** Names the subscriptions as far as an announcement holds them. @param to the worker that alone is meant */
export function dueAnnouncement(ids: string[], to?: string): Announcement {
  return { kind: "due", subscriptions: ids.length > maxIds ? "all" : ids, to };
}

type Executor = Pick<Database, "$executeRaw">;

async function notify(db: Executor, announcement: Announcement): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${channel}, ${JSON.stringify(announcement)})`;
}
