import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { type Announcement, channel } from "../publish/announce.ts";

/**
 * A worker's presence in the database: one connection that listens for announcements and holds an advisory lock under
 * the worker's id. When the process dies the connection ends, the lock with it, and others see at once that the leases
 * of this id are free.
 */
export interface Session {
  /** 63 random bits in decimal, new with each session: completions of an older one are thereby recognised. */
  workerId: string;
  close(): Promise<void>;
}

export interface SessionEvents {
  announced(announcement: Announcement): void;
  /** The connection is gone: nothing that this worker holds is its own any more. */
  lost(error: Error): void;
}

/** @param client a connection that is open, and belongs to the session from now on */
export async function openSession(client: Client, events: SessionEvents): Promise<Session> {
  const workerId = (randomBytes(8).readBigUInt64BE() >> 1n).toString();
  let open = true;
  function lost(error: Error): void {
    if (!open) return;
    open = false;
    events.lost(error);
  }
  client.on("error", lost);
  client.on("end", () => lost(new Error("the worker's database session ended")));
  client.on("notification", ({ payload }) => {
    if (payload) events.announced(JSON.parse(payload) as Announcement);
  });
  await client.query("SELECT pg_advisory_lock($1::bigint)", [workerId]);
  await client.query(`LISTEN ${channel}`);
  return {
    workerId,
    async close() {
      open = false;
      await client.end();
    },
  };
}
