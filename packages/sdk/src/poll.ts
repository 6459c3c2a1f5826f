import { type Clock, systemClock } from "./http/clock.ts";
import type { CallOptions } from "./http/options.ts";
import type { List, ListEnvelope } from "./list.ts";

/**
 * Options of {@link poll}.
 *
 * @example
 * const signal = AbortSignal.timeout(3_600_000);
 * const changes = poll(parley.tickets, { since: "2026-03-01T09:00:00Z", intervalMs: 60_000, signal });
 */
export interface PollOptions extends CallOptions {
  /**
   * Where to start: a time in RFC 3339 with `Z` or an offset (inclusive), or the {@link Poll.cursor} of an earlier poll.
   * Default: after the newest record.
   */
  readonly since?: string | undefined;
  /** Time between two polls, in milliseconds. Default: 30,000. */
  readonly intervalMs?: number | undefined;
  /** Clock, which you can replace in tests. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** Endless iterable of changed records, returned by {@link poll}. */
export interface Poll<Item> extends AsyncIterable<Item> {
  /**
   * Position after the last record. Store it when you have handled the record, and pass it as `since` to continue there,
   * also in another process. Empty until the first response if there is no `since`.
   */
  readonly cursor: string;
}

/** Record that can be polled. */
export interface Changing {
  /** ID of the record. */
  readonly id: string;
  /** Fields of the record, with the time of its last update. */
  readonly attributes: { readonly updated_at: string };
}

/** Records that can be polled: `parley.leads`, `tickets`, `conversations`, `meetings` or `chatbots`. */
export interface Pollable<Item extends Changing> {
  /**
   * Lists the records updated at or after `since`.
   *
   * @example
   * const { data: leads } = await parley.leads.list({ since: "2026-03-01T09:00:00Z", sort: "updated_at" });
   */
  list(
    query: { since: string; sort: "updated_at" | "-updated_at"; limit: number },
    options: CallOptions,
  ): List<Item, ListEnvelope<Item>>;
}

const beginning = "1970-01-01T00:00:00Z";

/**
 * Polls for changes: returns an endless iterable of the records that were created or updated, in the order of the changes.
 * No change is missed. A record that changed several times between two polls appears once, in its latest state.
 *
 * Leave the loop or abort the `signal` to stop. If you abort it, the loop throws its `reason`. The loop also throws if a
 * request still fails after its retries. A new loop over the same iterable continues after the last record.
 *
 * Polls have no filters: when a record stops matching a filter, the records after it move up, and one could be skipped
 * between two pages. Filter the records in the loop.
 *
 * @param records - `parley.leads`, `tickets`, `conversations`, `meetings` or `chatbots`
 *
 * @example
 * const changes = poll(parley.leads, { since: await stored.read() });
 * for await (const lead of changes) {
 *   console.log(lead.attributes.status);
 *   await stored.write(changes.cursor);
 * }
 */
export function poll<Item extends Changing>(records: Pollable<Item>, options: PollOptions = {}): Poll<Item> {
  const { since = "", intervalMs = 30_000, clock = systemClock, ...call } = options;
  const { signal = new AbortController().signal } = call;
  let [time = "", ...seen] = since.split(" ");

  // `since` is inclusive, so the IDs of its millisecond are kept in order to skip them.
  function advance({ id, attributes }: Item): void {
    if (attributes.updated_at !== time) seen = [];
    time = attributes.updated_at;
    seen.push(id);
  }

  /** Starts at the newest record: its time is from the server's clock. */
  async function start(): Promise<void> {
    const { data } = await records.list({ since: beginning, sort: "-updated_at", limit: 100 }, call);
    time = data[0]?.attributes.updated_at ?? beginning;
    for (const item of data) if (item.attributes.updated_at === time) advance(item);
  }

  return {
    get cursor() {
      return [time, ...seen].join(" ");
    },
    async *[Symbol.asyncIterator]() {
      if (!time) await start();
      for (;;) {
        // A record that changes meanwhile moves to the end, where it appears again.
        for await (const item of records.list({ since: time, sort: "updated_at", limit: 100 }, call)) {
          if (item.attributes.updated_at === time && seen.includes(item.id)) continue;
          advance(item);
          yield item;
        }
        await clock.sleep(intervalMs, signal);
      }
    },
  };
}
