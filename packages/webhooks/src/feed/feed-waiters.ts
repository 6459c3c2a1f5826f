import { setTimeout as delay } from "node:timers/promises";
import type { Database, Position } from "@parley/database";
import type { Logger } from "../logger.ts";
import { type FeedFilter, type FeedPage, matchesFilter, readFeed } from "./read-feed.ts";

/** Longest time between two reads, in case a notification is lost. */
const longestPauseMs = 5_000;
/** First pause of a reader, and after a notification, when a running change may still hide the event. Each pause doubles it. */
const shortestPauseMs = 20;
const readAtOnce = 100;

interface Waiter {
  filter: FeedFilter;
  limit: number;
  /** All events up to here are known not to match. */
  readTo: Position;
  done(page: NewEvents): void;
}

type NewEvents = Omit<FeedPage, "end">;

/** Returns a page without events. */
function nothing(next: Position): NewEvents {
  return { events: [], hasMore: false, next };
}

/** Reads new events of one organization, once for all its waiters. */
class OrganizationReader {
  readonly waiters = new Set<Waiter>();
  /** All events up to here have been read. */
  readTo: Position;
  #notified = Promise.withResolvers<void>();
  #pauseMs = shortestPauseMs;

  constructor(readTo: Position) {
    this.readTo = readTo;
  }

  /** Reads again soon. */
  wake(): void {
    this.#pauseMs = shortestPauseMs;
    this.#notified.resolve();
  }

  /** Waits for a notification, or for the pause. */
  async pause(): Promise<void> {
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(2 * ms, longestPauseMs);
    const stopped = new AbortController();
    const paused = delay(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
    await Promise.race([paused, this.#notified.promise]);
    stopped.abort();
    this.#notified = Promise.withResolvers();
  }

  /** Gives the events of a page to the waiters that want them. */
  hand({ events, hasMore, next }: FeedPage): void {
    this.readTo = next;
    for (const waiter of [...this.waiters]) {
      const wanted = events.filter(
        (event) => isAfter(event, waiter.readTo) && matchesFilter(event, waiter.filter),
      );
      const page = wanted.slice(0, waiter.limit);
      const last = wanted.length > page.length ? page.at(-1) : undefined;
      if (page.length > 0)
        waiter.done({ events: page, hasMore: hasMore || last !== undefined, next: last ?? next });
      else if (isAfter(next, waiter.readTo)) waiter.readTo = next;
    }
  }
}

/**
 * Lets requests wait for new events of the feed. A waiter holds no database connection. One reader per organization serves all its
 * waiters. A notification wakes it; without one, it doubles its pause from 20 ms to 5 seconds.
 */
export class FeedWaiters {
  readonly #readers = new Map<string, OrganizationReader>();
  readonly #db: Database;
  readonly #log: Pick<Logger, "warn">;
  #isEnded = false;

  constructor(db: Database, log: Pick<Logger, "warn">) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Waits until events after a page match the filter.
   *
   * @param read the page, as `readFeed` returned it
   * @returns these events, or none after `ms`, or when the signal or `end` ends the wait. Then `next` is where to continue
   */
  async wait(
    filter: FeedFilter,
    read: Pick<FeedPage, "next" | "end">,
    { limit, ms, signal }: { limit: number; ms: number; signal: AbortSignal },
  ): Promise<NewEvents> {
    let from = read.next;
    const until = performance.now() + ms;
    let reader = this.#readerFrom(filter.organizationId, read.end);
    while (isAfter(reader.readTo, from)) {
      // The reader has read beyond this position in the meantime, and does not go back.
      if (this.#isEnded || signal.aborted || performance.now() > until) return nothing(from);
      const page = await readFeed(this.#db, filter, { after: from }, limit);
      if (page.events.length > 0 || page.hasMore) return page;
      // A change that began earlier has taken its lock since, so this read ends before the reader's.
      if (!isAfter(page.next, from)) await delay(shortestPauseMs);
      from = page.next;
      reader = this.#readerFrom(filter.organizationId, page.end);
    }
    const { promise, resolve } = Promise.withResolvers<NewEvents>();
    const waiter: Waiter = { filter, limit, readTo: from, done: resolve };
    const giveUp = () => resolve(nothing(waiter.readTo));
    const timer = setTimeout(giveUp, ms);
    signal.addEventListener("abort", giveUp);
    reader.waiters.add(waiter);
    if (this.#isEnded || signal.aborted) giveUp();
    const page = await promise;
    reader.waiters.delete(waiter);
    if (reader.waiters.size === 0) reader.wake();
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    return page;
  }

  /** Handles a notification about new events. @param organizations IDs, or all */
  notified(organizations: string[] | "all"): void {
    const ids = organizations === "all" ? this.#readers.keys() : organizations;
    for (const id of ids) this.#readers.get(id)?.wake();
  }

  /** Answers all waiters. */
  end(): void {
    this.#isEnded = true;
    for (const reader of this.#readers.values()) {
      for (const waiter of reader.waiters) waiter.done(nothing(waiter.readTo));
    }
  }

  #readerFrom(organizationId: string, from: Position): OrganizationReader {
    const running = this.#readers.get(organizationId);
    if (running) return running;
    const reader = new OrganizationReader(from);
    this.#readers.set(organizationId, reader);
    void this.#read(organizationId, reader);
    return reader;
  }

  async #read(organizationId: string, reader: OrganizationReader): Promise<void> {
    let hasMore = false;
    do {
      if (!hasMore) await reader.pause();
      if (reader.waiters.size === 0) break;
      try {
        const page = await readFeed(this.#db, { organizationId }, { after: reader.readTo }, readAtOnce);
        reader.hand(page);
        hasMore = page.hasMore;
      } catch (error) {
        hasMore = false;
        this.#log.warn({ err: error }, "reading new events failed; retried within 5 seconds");
      }
    } while (reader.waiters.size > 0);
    this.#readers.delete(organizationId);
  }
}

function isAfter(one: Position, other: Position): boolean {
  return one.time > other.time || (one.time === other.time && one.id > other.id);
}
