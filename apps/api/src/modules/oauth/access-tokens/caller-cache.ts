import { LRUCache } from "lru-cache";
import type { Caller } from "../../../http/caller.ts";
import type { FoundCaller } from "./find-caller.ts";

/** Found callers by the SHA-256 of their token, in hex. */
export interface CallerCache {
  /** The caller that was found for the token a short while ago, or finds and keeps him. */
  find(tokenHash: string, find: () => Promise<FoundCaller | null>): Promise<Caller | null>;
  /** Every change is announced from now on, so callers may be kept. */
  open: () => void;
  /** Changes may go unheard: keeps nothing. */
  shut: () => void;
  /** Forgets whom a change concerns: `token <hash>`, `everything`, or the id of a `grant`, `user`, `client` or `organization`. */
  changed: (what: string) => void;
}

const maxCallers = 20_000;
const longestMs = 60_000;

/** Keeps a caller for a minute at most, and only while every change that concerns him is heard of. */
export function createCallerCache(clock: () => number): CallerCache {
  /** The hashes of the tokens that each grant, user, client and organization has here. */
  const tokensOf = new Map<string, Set<string>>();
  const kept = new LRUCache<string, { caller: Caller; until: number }>({
    max: maxCallers,
    onInsert: ({ caller }, hash) => {
      for (const subject of subjects(caller)) {
        tokensOf.set(subject, (tokensOf.get(subject) ?? new Set()).add(hash));
      }
    },
    dispose: ({ caller }, hash) => {
      for (const subject of subjects(caller)) {
        const tokens = tokensOf.get(subject);
        tokens?.delete(hash);
        if (tokens?.size === 0) tokensOf.delete(subject);
      }
    },
  });
  let isOpen = false;
  /** Counts what was heard: an answer that the database began before a change must not be kept after it. */
  let heard = 0;

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
      if (what === "everything") kept.clear();
      else if (what.startsWith("token ")) kept.delete(what.slice("token ".length));
      else for (const hash of [...(tokensOf.get(what) ?? [])]) kept.delete(hash);
    },
  };
}

/** What a caller is forgotten by, as the database names it. */
function subjects({ grantId, userId, clientId, organizationId }: Caller): string[] {
  return [`grant ${grantId}`, `user ${userId}`, `client ${clientId}`, `organization ${organizationId}`];
}
