import type { Transaction } from "@parley/database";

/**
 * Disables nested-loop joins for the rest of the transaction. Before tables are analyzed, the planner may choose them, which takes
 * minutes for a gap of 50,000 events.
 */
export async function joinInOnePass(tx: Transaction): Promise<void> {
  await tx.$queryRaw`SELECT set_config('enable_nestloop', 'off', true)`;
}
