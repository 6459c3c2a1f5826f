import type { Pool } from "pg";
import { Agent } from "undici";
import { attempt } from "../delivery/attempt.ts";
import { signedHeaders } from "../delivery/sign.ts";
import type { Logger } from "../logger.ts";
import { type Repeated, repeat } from "../repeat.ts";

interface NoticeOptions {
  db: Pool;
  /** URL of the operator's webhook. No addresses are blocked. */
  url: string;
  /** Signing secret. */
  secret: string;
  log: Logger;
  /** Timeout of an attempt in milliseconds. */
  timeoutMs: number;
  /** Called when reading notices failed. */
  failed?: () => void;
  /** Time between two looks for pending notices, in milliseconds. Default: 1 second. */
  everyMs?: number;
}

const batch = 20;
/** With a backoff of 10 s, 20 s, 40 s, … up to 2 h, these attempts take about a day. */
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
 * Sends the operator's notices until stopped, each at least once, with retries for about a day. Notices of one
 * subscription are sent in order: each notice waits until the previous notice is delivered or was attempted
 * `maxAttempts` times.
 */
export function startNotices(options: NoticeOptions): Repeated {
  const client = new Agent({ connect: { timeout: options.timeoutMs } });
  const sending = repeat(
    async (stopping) => {
      let claimed: Claimed[];
      do {
        claimed = await claim(options.db, options.timeoutMs);
        await Promise.all(claimed.map((notice) => send(notice, client, options)));
      } while (claimed.length > 0 && !stopping.aborted);
    },
    options.everyMs ?? 1_000,
    (error) => {
      options.failed?.();
      options.log.error({ err: error }, "reading notices failed; retrying in a second");
    },
  );
  return {
    async stop() {
      await sending.stop();
      await client.close();
    },
  };
}

/**
 * Claims pending notices. Before an attempt starts, the next attempt is scheduled for a time after its timeout.
 * Therefore no notice is lost if the worker dies, and no other worker sends it at the same time.
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
  if (!delivered) log.warn({ notice: id, attempts, reason: error }, "notice not delivered to NOTICE_URL");
  if (delivered || attempts >= maxAttempts) await db.query("DELETE FROM notices WHERE id = $1", [id]);
}
