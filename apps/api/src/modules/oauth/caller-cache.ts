import { LRUCache } from "lru-cache";
import type { Caller } from "../../http/caller.ts";
import type { FoundCaller } from "./find-caller.ts";

/** Found callers by the SHA-256 of their token, in hex. */
export interface CallerCache {
  /** The caller that was found for the token a short while ago, or finds and keeps him. */
  find(tokenHash: string, find: () => Promise<FoundCaller | null>): Promise<Caller | null>;
  /** Every change is announced from now on, so callers may be kept. */
  open: () => void;
  /** Changes may go unheard: keeps nothing. */
  shut: () => void;
  /** Forgets what a change concerns: `grant <id>`, `organization <id>` or `token <hash>`. */
  changed: (what: string) => void;
}

const maxCallers = 20_000;
const longestMs = 60_000;

/** Keeps a caller for a minute at most, and only while every change that concerns him is heard of. */
export function createCallerCache(clock: () => number): CallerCache {
  const kept = new LRUCache<string, { caller: Caller; until: number }>({ max: maxCallers });
  let isOpen = false;
  /** Counts what was heard: an answer that the database began before a change must not be kept after it. */
  let heard = 0;

  function forget(concerns: (caller: Caller) => boolean): void {
    for (const [hash, { caller }] of kept.entries()) if (concerns(caller)) kept.delete(hash);
  }

  return {
    async find(tokenHash, find) {
      const known = kept.get(tokenHash);
      if (known && known.until > clock()) return known.caller;
      const before = heard;
      const found = await find();
      if (found && isOpen && before === heard) {
        const until = Math.min(clock() + longestMs, found.expiresAt.getTime());
        kept.set(tokenHash, { caller: found.caller, until });
      }
      return found?.caller ?? null;
    },
    open() {
      heard += 1;
      isOpen = true;
    },
    shut() {
      isOpen = false;
      kept.clear();
    },
    changed(what) {
      heard += 1;
      const [kind, id = ""] = what.split(" ");
      if (kind === "token") kept.delete(id);
      else if (kind === "grant") forget(({ grantId }) => grantId === id);
      else if (kind === "organization") forget(({ organizationId }) => organizationId === id);
    },
  };
}
