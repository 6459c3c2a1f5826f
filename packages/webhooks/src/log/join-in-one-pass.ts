import type { Transaction } from "@parley/database";

/**
 * Has PostgreSQL join by passing over each table once, for the rest of the transaction. Where it does not know yet how much
 * there is, it would compare everything with everything: minutes for a gap of 50,000 events.
 */
export async function joinInOnePass(tx: Transaction): Promise<void> {
  await tx.$queryRaw`SELECT set_config('enable_nestloop', 'off', true)`;
}
