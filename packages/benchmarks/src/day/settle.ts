import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Child } from "../harness/child.ts";
import { nowMs } from "../harness/clock.ts";
import type { Receiver } from "./receiver.ts";

const patienceMs = 15_000;
const quietMs = 1_000;

/**
 * Waits until so many deliveries have arrived, nothing is due any more, and nothing else came for a while after. When they
 * do not come this ends too: the comparison says what is missing.
 */
export async function settle(receiver: Child<Receiver>, client: Client, deliveries: number): Promise<void> {
  let before = -1;
  for (let changedAt = nowMs(); ; await sleep(50)) {
    const { requests } = await receiver.call("arrivals");
    if (requests !== before) changedAt = nowMs();
    before = requests;
    const quiet = nowMs() - changedAt;
    if (quiet > patienceMs) return;
    if (requests >= deliveries && quiet > quietMs && (await countDue(client)) === 0) return;
  }
}

async function countDue(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int FROM deliveries");
  return rows[0]?.count ?? 0;
}
