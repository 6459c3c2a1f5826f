import type { Pool } from "pg";

/** The time of the database, which writes when deliveries are due: this machine's own clock may be wrong or be set. */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Asks the database for its time. */
  synchronize: () => Promise<void>;
}

const worthMs = 60_000;

/** Between two questions it goes on with the monotonic clock, which nobody sets. */
export function createDatabaseClock(db: Pool): DatabaseClock {
  let ahead = Date.now() - performance.now();
  let taken = { roundTrip: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY };
  return {
    now: () => Math.round(performance.now() + ahead),
    async synchronize() {
      const askedAt = performance.now();
      const { rows } = await db.query<{ ms: number }>(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms",
      );
      const at = performance.now();
      const roundTrip = at - askedAt;
      // A slow answer tells the time worse than a quick one that is not old yet.
      if (!rows[0] || (roundTrip > 2 * taken.roundTrip && at - taken.at < worthMs)) return;
      taken = { roundTrip, at };
      ahead = rows[0].ms - (askedAt + at) / 2;
    },
  };
}
