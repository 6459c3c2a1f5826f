import type { Database } from "@parley/database";
import { LRUCache } from "lru-cache";

/** Records when grants were last used, for the page of connected apps. */
interface GrantUsage {
  /** Records a use. Uses are written together after a second, so that no request waits for them. */
  record(grantId: string): void;
  /** Writes the pending uses. */
  flush(): Promise<void>;
}

const minuteMs = 60_000;
const flushAfterMs = 1_000;

/**
 * Creates a recorder that rounds times down to the minute, so that a grant is written at most once a minute. A time
 * before the creation of the grant is written as its creation time. Uses that cannot be written are lost.
 *
 * @param onError receives write errors
 */
export function createGrantUsage(
  db: Database,
  clock: () => number,
  onError: (error: unknown) => void,
): GrantUsage {
  const lastMinutes = new LRUCache<string, number>({ max: 20_000 });
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const grantIds = [...pending];
    pending = new Set();
    if (grantIds.length === 0) return;
    const minute = new Date(minuteOf(clock()) * minuteMs);
    const written = db.$executeRaw`
      UPDATE oauth_grants SET last_used_at = GREATEST(${minute}, created_at)
      WHERE id = ANY(${grantIds}::uuid[]) AND (last_used_at IS NULL OR last_used_at < ${minute})`;
    await written.catch(onError);
  }

  return {
    record(grantId) {
      const minute = minuteOf(clock());
      if (lastMinutes.get(grantId) === minute) return;
      lastMinutes.set(grantId, minute);
      pending.add(grantId);
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
    },
    flush,
  };
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}
