import { createHmac } from "node:crypto";
import type { Client } from "pg";
import type { Arrivals, Sample } from "./receiver.ts";
import type { Due } from "./seed.ts";

/**
 * @throws when a delivery did not arrive, arrived twice, or was signed wrongly (of every 500th): the run is void
 */
export function refuseWrongArrivals(side: string, due: Due[], { ids, samples }: Arrivals): void {
  const expected = new Map(due.map((delivery) => [delivery.id, delivery]));
  const arrived = new Set(ids);
  const missing = due.filter(({ id }) => !arrived.has(id)).length;
  const twice = ids.length - arrived.size;
  const unknown = ids.filter((id) => !expected.has(id)).length;
  const forged = samples.filter((sample) => !isSigned(sample, expected)).length;
  if (missing + twice + unknown + forged > 0) {
    throw new Error(
      `void: ${side}: ${missing} missing, ${twice} twice, ${unknown} unknown, ${forged} not signed`,
    );
  }
}

function isSigned({ headers, body }: Sample, expected: Map<string, Due>): boolean {
  const delivery = expected.get(String(headers["x-parley-delivery"]));
  if (!delivery || delivery.body !== body) return false;
  const text = `${String(headers["x-parley-timestamp"])}.${body}`;
  const standard = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  return (
    headers["x-parley-signature"] === `sha256=${hmac(delivery.secret, text, "hex")}` &&
    headers["webhook-signature"] === `v1,${hmac(delivery.secret, standard, "base64")}`
  );
}

function hmac(secret: string, text: string, encoding: "hex" | "base64"): string {
  return createHmac("sha256", secret).update(text).digest(encoding);
}

/** How many attempts the log holds of today. */
export async function countLogged(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int FROM delivery_attempts WHERE attempted_at >= current_date",
  );
  return rows[0]?.count ?? 0;
}

/**
 * @throws when a delivery is not in the log exactly once, as delivered at the first attempt, or is still due
 */
export async function refuseWrongLog(client: Client, due: Due[]): Promise<void> {
  const { rows } = await client.query<{ wrong: number }>(
    `SELECT (SELECT count(*) FROM deliveries)::int + count(*)::int AS wrong
     FROM (SELECT id, count(a.delivery_id) AS attempts,
                  bool_and(a.outcome = 'delivered' AND a.attempt = 1 AND a.status_code = 200) AS delivered
           FROM unnest($1::uuid[]) AS id
           LEFT JOIN delivery_attempts a ON a.delivery_id = id AND a.attempted_at >= current_date GROUP BY id) AS log
     WHERE attempts <> 1 OR NOT delivered`,
    [due.map(({ id }) => id)],
  );
  const logged = await countLogged(client);
  if (rows[0]?.wrong !== 0 || logged !== due.length) {
    throw new Error(
      `void: the log holds ${logged} attempts of ${due.length}, ${rows[0]?.wrong} are wrong or left`,
    );
  }
}
