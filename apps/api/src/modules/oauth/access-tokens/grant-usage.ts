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
 * Records uses to the minute, so that a grant is written at most once a minute. What cannot be written is left out. A
 * minute that began before the grant existed is written as the time of its creation.
 *
 * @param onError receives errors of writing
 */
export function createGrantUsage(
  db: Database,
  clock: () => number,
  onError: (error: unknown) => void,
): GrantUsage {
  const noted = new LRUCache<string, number>({ max: 20_000 });
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    await write().catch(onError);
  }

  async function write(): Promise<void> {
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
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
    },
    flush,
  };
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}
