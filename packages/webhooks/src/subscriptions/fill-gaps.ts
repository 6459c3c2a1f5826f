import type { Database, Subscription } from "@parley/database";
import type { Logger } from "../logger.ts";
import type { Publisher } from "../publish/publisher.ts";
import { fillGapInBatches, finishGap } from "./fill-gap.ts";
import { lockSubscription } from "./lock-subscription.ts";

interface GapsOptions {
  records: Database;
  publisher: Publisher;
  /** Maximum number of pending deliveries of an organization; 0 for no limit. */
  maxPending: number;
  log: Logger;
}

/**
 * Continues to fill the gaps that have more events than deliveries may be pending.
 *
 * @throws if a gap could not be filled, after the others
 */
export async function fillGaps({ records, publisher, maxPending, log }: GapsOptions): Promise<void> {
  const filling = await records.subscription.findMany({
    where: { fillingGap: true, status: "active" },
    select: { id: true, organizationId: true },
    orderBy: { id: "asc" },
  });
  const options = { db: records, maxPending, mayFill: isFilling };
  let failed = 0;
  for (const { id, organizationId } of filling) {
    try {
      const filled = await fillGapInBatches(options, organizationId, id);
      await publisher.change(
        organizationId,
        async (change) => {
          const subscription = await lockSubscription(change.tx, organizationId, id);
          if (!subscription || !isFilling(subscription)) return;
          await finishGap(change, subscription, filled);
          change.notifyPending(id);
        },
        { exclusive: filled.rest !== null },
      );
    } catch (error) {
      failed += 1;
      log.error({ err: error, subscription: id }, "filling the gap failed; retrying in a minute");
    }
  }
  if (failed > 0)
    throw new Error(`the gaps of ${failed} of ${filling.length} subscriptions could not be filled`);
}

function isFilling({ status, fillingGap }: Subscription): boolean {
  return status === "active" && fillingGap;
}
