import type { Pool } from "pg";
import { Agent } from "undici";
import { attempt } from "../delivery/attempt.ts";
import { signedHeaders } from "../delivery/sign.ts";
import type { Logger } from "../logger.ts";

interface NoticeOptions {
  db: Pool;
  /** The operator's own webhook; where it leads is the operator's choice. */
  url: string;
  /** Signs as a subscription's secret does. */
  secret: string;
  log: Logger;
  /** Milliseconds for one attempt. */
  timeoutMs: number;
  /** Is called when notices could not be read. */
  failed?: () => void;
}

const lookEveryMs = 1_000;
const batch = 20;
/** Over about a day: 10 s, 20 s, 40 s, … up to 2 h apart. */
const maxAttempts = 20;

interface Claimed {
  id: string;
  type: string;
  body: string;
  attempts: number;
  /** The database's time, ms since 1970. */
  now: number;
}

/**
 * Sends the operator's notices until it is stopped: each at least once, tried again for about a day. Those of one
 * subscription go in their order: one waits until the one before arrived, or was given up.
 */
export function startNotices(options: NoticeOptions): { stop(): Promise<void> } {
  const client = new Agent({ connect: { timeout: options.timeoutMs } });
  let working = Promise.resolve();
  let busy = false;
  let stopped = false;

  async function look(): Promise<void> {
    busy = true;
    try {
      let claimed: Claimed[];
      do {
        claimed = await claim(options.db, options.timeoutMs);
        await Promise.all(claimed.map((notice) => send(notice, client, options)));
      } while (claimed.length > 0 && !stopped);
    } catch (error) {
      options.failed?.();
      options.log.error({ err: error }, "notices could not be read; retrying in a second");
    }
    busy = false;
  }

  const timer = setInterval(() => {
    if (!busy) working = look();
  }, lookEveryMs);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await working;
      await client.close();
    },
  };
}

/**
 * Puts the next attempt off, beyond the time that this one may take, before this one is made: a worker that dies meanwhile
 * loses nothing, and no other sends it at the same time.
 */
async function claim(db: Pool, timeoutMs: number): Promise<Claimed[]> {
  const { rows } = await db.query<Claimed>({
    name: "claim-notices",
    text: `
      UPDATE notices SET attempts = attempts + 1,
        next_at = now() + $2::int * interval '1 millisecond'
          + least(interval '2 hours', interval '10 seconds' * 2 ^ least(attempts, 12))
      WHERE id IN (
        SELECT id FROM notices n
        WHERE next_at <= now() AND NOT EXISTS (
          SELECT 1 FROM notices earlier
          WHERE earlier.id < n.id
            AND earlier.body::json #>> '{data,subscription_id}' = n.body::json #>> '{data,subscription_id}'
        )
        ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      RETURNING id, type, body, attempts, extract(epoch FROM now())::float8 * 1000 AS now`,
    values: [batch, timeoutMs],
  });
  return rows;
}

async function send(
  { id, type, body, attempts, now }: Claimed,
  client: Agent,
  { db, url, secret, log, timeoutMs }: NoticeOptions,
): Promise<void> {
  const headers = signedHeaders({ deliveryId: id, eventType: type, body }, secret, now);
  const { delivered, error } = await attempt(client, { url, headers, body, timeoutMs });
  if (!delivered) log.warn({ notice: id, attempts, reason: error }, "a notice did not reach NOTICE_URL");
  if (delivered || attempts >= maxAttempts) await db.query("DELETE FROM notices WHERE id = $1", [id]);
}
