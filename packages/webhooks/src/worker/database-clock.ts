import type { Statements } from "../statements.ts";

/** Clock of the database, which schedules deliveries. The clock of this machine may differ or be adjusted. */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Queries the database's time. */
  synchronize: () => Promise<void>;
}

/** Time in milliseconds after which a measurement is replaced even by a less precise measurement. */
const validMs = 60_000;

/** Creates a database clock. Between two queries it follows the monotonic clock, which is never adjusted. */
export function createDatabaseClock(db: Statements): DatabaseClock {
  let ahead = Date.now() - performance.now();
  let taken = { roundTrip: Number.POSITIVE_INFINITY, at: Number.NEGATIVE_INFINITY };
  return {
    now: () => Math.round(performance.now() + ahead),
    async synchronize() {
      const sentAt = performance.now();
      const { rows } = await db.query<{ ms: number }>({
        text: "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms",
      });
      const at = performance.now();
      const roundTrip = at - sentAt;
      // A measurement with a slow response is less precise than a recent measurement with a fast response.
      if (!rows[0] || (roundTrip > 2 * taken.roundTrip && at - taken.at < validMs)) return;
      taken = { roundTrip, at };
      ahead = rows[0].ms - (sentAt + at) / 2;
    },
  };
}
