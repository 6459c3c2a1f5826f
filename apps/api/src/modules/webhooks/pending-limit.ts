import type { Transaction } from "@parley/database";
import { countPending } from "@parley/webhooks";

/** Limit of an organization's pending deliveries. */
export interface PendingLimit {
  /** Maximum number of pending deliveries; 0 for no limit. */
  maxPending: number;
}

/** Returns how many deliveries may become pending until the limit is reached. */
export async function remainingPending(
  tx: Pick<Transaction, "$queryRaw">,
  organizationId: string,
  { maxPending }: PendingLimit,
): Promise<number> {
  if (maxPending === 0) return Number.POSITIVE_INFINITY;
  return maxPending - (await countPending(tx, organizationId, maxPending));
}
