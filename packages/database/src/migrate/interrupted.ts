import type { Client } from "pg";

/**
 * A process that is killed within a migration leaves a record without an outcome, which Prisma takes for a failure
 * and blocks on. But a script is one transaction: unless its step was counted it did not happen, and may run again.
 * A real failure has a log, and is left for `prisma migrate resolve`. Call it under the migration lock.
 */
export async function settleInterrupted(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  );
  if (rows[0]?.exists !== true) return;
  await client.query(`
    UPDATE _prisma_migrations
       SET rolled_back_at = CASE WHEN applied_steps_count = 0 THEN now() END,
           finished_at = CASE WHEN applied_steps_count > 0 THEN now() END
     WHERE finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL`);
}
