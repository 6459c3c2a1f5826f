import { LRUCache } from "lru-cache";
import type { Caller } from "../../../http/caller.ts";
import type { FoundCaller } from "./find-caller.ts";

/** Callers by the SHA-256 of their access token, in hex. */
interface CallerCache {
  /** Returns the cached caller of a token, or finds and caches it. */
  find(tokenHash: string, find: () => Promise<FoundCaller | null>): Promise<Caller | null>;
  /** Starts caching. From now on, every change must be reported to `invalidate`. */
  enable: () => void;
  /** Stops caching and clears the cache, because changes may be missed. */
  disable: () => void;
  /** Removes the entries of a subject: `token <hash>`, `everything`, or `grant`, `user`, `client` or `organization` with its ID. */
  invalidate: (subject: string) => void;
}

/** Receives lookups and the number of entries for metrics. */
export interface CallerCacheObserver {
  looked: (result: "hit" | "miss") => void;
  resized: (entries: number) => void;
}

const maxCallers = 20_000;
const maxAgeMs = 60_000;

/** Creates a cache that keeps a caller for at most a minute, and only while changes are reported. */
export function createCallerCache(clock: () => number, observer?: CallerCacheObserver): CallerCache {
  /** Token hashes in the cache by subject. */
  const tokensBySubject = new Map<string, Set<string>>();
  const entries = new LRUCache<string, { caller: Caller; until: number }>({
    max: maxCallers,
    onInsert: ({ caller }, hash) => {
      for (const subject of subjectsOf(caller)) {
        tokensBySubject.set(subject, (tokensBySubject.get(subject) ?? new Set()).add(hash));
      }
    },
    dispose: ({ caller }, hash) => {
      for (const subject of subjectsOf(caller)) {
        const tokens = tokensBySubject.get(subject);
        tokens?.delete(hash);
        if (tokens?.size === 0) tokensBySubject.delete(subject);
      }
    },
  });
  let isEnabled = false;
  /** Incremented by each change, so that the result of a query that began before a change is not cached after it. */
  let generation = 0;

  return {
    async find(tokenHash, find) {
      const cached = entries.get(tokenHash);
      if (cached && cached.until > clock()) {
        observer?.looked("hit");
        return cached.caller;
      }
      observer?.looked("miss");
      const generationBefore = generation;
      const found = await find();
      if (found && isEnabled && generationBefore === generation) {
        const until = Math.min(clock() + maxAgeMs, found.expiresAt.getTime());
        entries.set(tokenHash, { caller: found.caller, until });
        observer?.resized(entries.size);
      }
      return found?.caller ?? null;
    },
    enable() {
      generation += 1;
      isEnabled = true;
    },
    disable() {
      isEnabled = false;
      entries.clear();
      observer?.resized(0);
    },
    invalidate(subject) {
      generation += 1;
      if (subject === "everything") entries.clear();
      else if (subject.startsWith("token ")) entries.delete(subject.slice("token ".length));
      else for (const hash of [...(tokensBySubject.get(subject) ?? [])]) entries.delete(hash);
      observer?.resized(entries.size);
    },
  };
}

/** Returns the subjects of notifications that remove a caller from the cache. */
function subjectsOf({ grantId, userId, clientId, organizationId }: Caller): string[] {
  return [`grant ${grantId}`, `user ${userId}`, `client ${clientId}`, `organization ${organizationId}`];
}
