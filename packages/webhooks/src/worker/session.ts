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
  /** Asks the server whether it is still there; when several times went unanswered the session counts as lost. */
  check(): void;
  close(): Promise<void>;
}

export interface SessionEvents {
  announced(announcement: Announcement): void;
  /** The connection is gone: nothing that this worker holds is its own any more. */
  lost(error: Error): void;
}

/** Times are counted, not seconds: a process that stood still has not waited for an answer. */
const maxUnanswered = 5;

/** A machine that vanishes closes no connection: the server is to notice within seconds, and let go of the lock. */
const noticeVanishing = {
  tcp_keepalives_idle: "1",
  tcp_keepalives_interval: "1",
  tcp_keepalives_count: "2",
  tcp_user_timeout: "3000",
};

/**
 * @param client a connection that is open, and belongs to the session from now on
 * @throws when the connection is lost meanwhile; `lost` is told of what comes later
 */
export async function openSession(client: Client, events: SessionEvents): Promise<Session> {
  const workerId = (randomBytes(8).readBigUInt64BE() >> 1n).toString();
  let open = false;
  function lost(error: Error): void {
    if (!open) return;
    open = false;
    events.lost(error);
    void client.end().catch(() => undefined);
  }
  client.on("error", lost);
  client.on("end", () => lost(new Error("the worker's database session ended")));
  client.on("notification", ({ payload }) => {
    if (payload) events.announced(JSON.parse(payload) as Announcement);
  });
  try {
    for (const setting of Object.entries(noticeVanishing)) {
      // Not every system knows all of them.
      await client.query("SELECT set_config($1, $2, false)", setting).catch(() => undefined);
    }
    await client.query("SELECT pg_advisory_lock($1::bigint)", [workerId]);
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  open = true;
  let unanswered = 0;
  return {
    workerId,
    check() {
      if (unanswered === maxUnanswered) return lost(new Error("the database does not answer"));
      unanswered += 1;
      const answered = () => {
        unanswered = 0;
      };
      client.query("SELECT 1").then(answered, () => undefined); // A failure shows as the connection's own.
    },
    async close() {
      open = false;
      await client.end();
    },
  };
}
