import type { Client } from "pg";

/** The number Prisma's native engine locks as well; the WASM one relies on its caller. */
const prismaLock = 72707369;

/** Lets one migration run at a time on the database; others wait. */
export async function withMigrationLock<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query("SELECT pg_advisory_lock($1)", [prismaLock]);
  try {
    return await work();
  } finally {
    // It fails where the connection is lost, and then the lock is gone as well.
    await client.query("SELECT pg_advisory_unlock($1)", [prismaLock]).catch(() => {});
  }
}
