import type { Database } from "@parley/database";
import { LRUCache } from "lru-cache";

/** Remembers when grants were last used, for their users to see. */
export interface GrantUsage {
  /** Notes a use. It is written a little later, with others, out of the request's way. */
  used(grantId: string): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
}

const minuteMs = 60_000;
const flushAfterMs = 1_000;

/**
 * Notes uses to the minute, so that a grant is written once a minute at most; when that fails, the next minute is early
 * enough. A minute that began before the grant existed is written as the time of its creation.
 */
export function createGrantUsage(db: Database, clock: () => number): GrantUsage {
  const noted = new LRUCache<string, number>({ max: 20_000 });
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const grantIds = [...waiting];
    waiting = new Set();
    if (grantIds.length === 0) return;
    const minute = new Date(minuteOf(clock()) * minuteMs);
    await db.$executeRaw`
      UPDATE oauth_grants SET last_used_at = GREATEST(${minute}, created_at)
      WHERE id = ANY(${grantIds}::uuid[]) AND (last_used_at IS NULL OR last_used_at < ${minute})`;
  }

  return {
    used(grantId) {
      const minute = minuteOf(clock());
      if (noted.get(grantId) === minute) return;
      noted.set(grantId, minute);
      waiting.add(grantId);
      timer ??= setTimeout(() => void flush().catch(() => undefined), flushAfterMs).unref();
    },
    flush,
  };
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}
