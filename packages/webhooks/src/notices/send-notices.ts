import type { Pool } from "pg";
import { Agent } from "undici";
import { attempt } from "../delivery/attempt.ts";
import { signedHeaders } from "../delivery/sign.ts";
import type { Logger } from "../worker/options.ts";

export interface NoticeOptions {
  db: Pool;
  /** The operator's own webhook; where it leads is the operator's choice. */
  url: string;
  /** Signs as a subscription's secret does. */
  secret: string;
  log: Logger;
  /** Milliseconds for one attempt. */
  timeoutMs: number;
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
  subscription: string | null;
  /** The database's time, ms since 1970. */
  now: number;
}

/** Sends the operator's notices until it is stopped: each at least once, tried again for about a day. */
export function startNotices(options: NoticeOptions): { stop(): Promise<void> } {
  const client = new Agent({ connect: { timeout: options.timeoutMs } });
  let working = Promise.resolve();
  let busy = false;

  async function look(): Promise<void> {
    busy = true;
    try {
      const claimed = await claim(options.db, options.timeoutMs);
      await Promise.all(bySubscription(claimed).map((notices) => sendInOrder(notices, client, options)));
    } catch (error) {
      options.log.error({ err: error }, "notices could not be read");
    }
    busy = false;
  }

  const timer = setInterval(() => {
    if (!busy) working = look();
  }, lookEveryMs);
  return {
    async stop() {
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
      WHERE id IN (SELECT id FROM notices WHERE next_at <= now() ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING id, type, body, attempts, body::json #>> '{data,subscription_id}' AS subscription,
                extract(epoch FROM now())::float8 * 1000 AS now`,
    values: [batch, timeoutMs],
  });
  return rows;
}

/** What there is to tell of one subscription, the earliest first. */
function bySubscription(claimed: Claimed[]): Claimed[][] {
  const ordered = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return [...Map.groupBy(ordered, ({ subscription }) => subscription).values()];
}

/** After one that did not arrive the others wait for their next time, as it does. */
async function sendInOrder(notices: Claimed[], client: Agent, options: NoticeOptions): Promise<void> {
  for (const notice of notices) if (!(await send(notice, client, options))) return;
}

/** @returns whether it arrived */
async function send(
  { id, type, body, attempts, now }: Claimed,
  client: Agent,
  { db, url, secret, log, timeoutMs }: NoticeOptions,
): Promise<boolean> {
  const headers = signedHeaders({ deliveryId: id, eventType: type, body }, secret, now);
  const { delivered, error } = await attempt(client, { url, headers, body, timeoutMs });
  if (!delivered) log.warn({ notice: id, attempts, reason: error }, "a notice did not reach NOTICE_URL");
  if (delivered || attempts >= maxAttempts) await db.query("DELETE FROM notices WHERE id = $1", [id]);
  return delivered;
}
