import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { channel, type Notification, parseNotification } from "../notifications.ts";

/**
 * Database session of a worker: one connection that listens for notifications and holds an advisory lock with the
 * worker's ID. When the process dies, PostgreSQL closes the connection and releases the lock, so other workers see
 * immediately that the leases are abandoned.
 */
export interface Session {
  /** 63 random bits in decimal, new for each session, so that results of an older one are recognized. */
  workerId: string;
  /** Checks the connection with a query. After five checks without a result, the session counts as lost. */
  check(): void;
  close(): Promise<void>;
}

export interface SessionEvents {
  notified(notification: Notification): void;
  /** A malformed notification was ignored. */
  malformed(error: unknown): void;
  /** The connection was lost, and with it all leases of this worker. */
  lost(error: Error): void;
}

/** Number of checks instead of seconds, because a process that was suspended has not waited for responses. */
const maxMissed = 5;

const keepalives = {
  tcp_keepalives_idle: "1",
  tcp_keepalives_interval: "1",
  tcp_keepalives_count: "2",
  tcp_user_timeout: "3000",
};

/** A machine that crashes closes no connection. With keepalives, the server detects this within seconds and releases the locks. */
export async function releaseLocksOfLostClients(client: Client): Promise<void> {
  for (const setting of Object.entries(keepalives)) {
    // Not every operating system supports all of these options.
    await client.query("SELECT set_config($1, $2, false)", setting).catch(() => undefined);
  }
}

/**
 * Opens a session.
 *
 * @param client an open connection, which belongs to the session from now on
 * @throws if the connection is lost while opening; `lost` receives later errors
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
  client.on("notification", ({ payload = "" }) => {
    let notification: Notification;
    try {
      notification = parseNotification(payload);
    } catch (error) {
      return events.malformed(error);
    }
    events.notified(notification);
  });
  try {
    await releaseLocksOfLostClients(client);
    await client.query("SELECT pg_advisory_lock($1::bigint)", [workerId]);
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  open = true;
  let missed = 0;
  return {
    workerId,
    check() {
      if (missed === maxMissed) return lost(new Error("the database does not respond"));
      missed += 1;
      if (missed > 1) return; // The last query is still running.
      const onResult = () => {
        missed = 0;
      };
      client.query("SELECT 1").then(onResult, () => undefined); // A failure shows as the connection's error.
    },
    async close() {
      open = false;
      await client.end();
    },
  };
}
