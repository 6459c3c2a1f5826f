import type { Pool } from "pg";

/** The time of the database, which writes when deliveries are due: this machine's own clock may be wrong or be set. */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Asks the database for its time. */
  synchronize(): Promise<void>;
}

/** Between two questions it goes on with the monotonic clock, which nobody sets. */
export function createDatabaseClock(db: Pool): DatabaseClock {
  let ahead = Date.now() - performance.now();
  return {
    now: () => Math.round(performance.now() + ahead),
    async synchronize() {
      const askedAt = performance.now();
      const { rows } = await db.query<{ ms: number }>(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms",
      );
      const middle = (askedAt + performance.now()) / 2;
      if (rows[0]) ahead = rows[0].ms - middle;
    },
  };
}
