import { type Clock, systemClock } from "./http/clock.ts";
import type { CallOptions } from "./http/options.ts";
import type { List, ListEnvelope } from "./list.ts";

/** What {@link poll} takes. */
export interface PollOptions extends CallOptions {
  /** From when on: a time in RFC 3339, or the {@link Poll.cursor} of an earlier poll. Default: now, by the service's clock. */
  readonly since?: string | undefined;
  /** How long to wait between two questions, in milliseconds. Default 30,000. */
  readonly intervalMs?: number | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
}

/** The changes of records, for ever; see {@link poll}. */
export interface Poll<Item> extends AsyncIterable<Item> {
  /**
   * Behind the record that came last. Store it when the record is handled, and pass it as `since` to go on there, also in
   * another process. Undefined until the first answer, when no `since` was passed.
   */
  readonly cursor: string | undefined;
}

/** A record as far as polling needs it. */
export interface Changing {
  readonly id: string;
  readonly attributes: { readonly updated_at: string };
}

/** What can be polled: `parley.leads`, `tickets`, `conversations`, `meetings`, `chatbots`. */
export interface Pollable<Item extends Changing> {
  list(query: { since: string; limit: number }, options: CallOptions): List<Item, ListEnvelope<Item>>;
}

const beginning = "1970-01-01T00:00:00Z";

/**
 * The changes of records, for triggers without webhooks: each record again whenever it has changed, in the order of the
 * changes. None is missed, and none comes twice. One that changed several times between two questions comes once, as it
 * is then. All changes between two questions are loaded before the first of them comes, so that they can be in order.
 *
 * It ends with the loop, or with the `signal`, whose reason it throws. An error that outlasts the retries is thrown, too;
 * a new loop over the same poll goes on where the last one stood.
 *
 * There are no filters: a record that no longer matches would move the others while pages are read, and one of them be
 * missed. Look at the records instead.
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

  // A list with `since` waits for changes under way, so whatever it does not show changes later than what it shows.
  const changesSince = (time: string) => records.list({ since: time, limit: 100 }, call);

  // `since` includes its very millisecond, so the ids of that millisecond are remembered.
  function pass({ id, attributes }: Item): void {
    if (attributes.updated_at !== time) seen = [];
    time = attributes.updated_at;
    seen.push(id);
  }

  /** Starts at the newest record, which also tells the service's time. */
  async function start(): Promise<void> {
    const { data } = await changesSince(beginning);
    time = data[0]?.attributes.updated_at ?? beginning;
    for (const item of data) if (item.attributes.updated_at === time) pass(item);
  }

  async function round(): Promise<Item[]> {
    // A page that was pushed on by a newer change repeats a record.
    const found = new Map<string, Item>();
    for await (const item of changesSince(time)) found.set(item.id, item);
    return [...found.values()]
      .filter(({ id, attributes }) => attributes.updated_at !== time || !seen.includes(id))
      .sort((a, b) => (a.attributes.updated_at < b.attributes.updated_at ? -1 : 1));
  }

  return {
    get cursor() {
      return time ? [time, ...seen].join(" ") : undefined;
    },
    async *[Symbol.asyncIterator]() {
      if (!time) await start();
      for (;;) {
        for (const item of await round()) {
          pass(item);
          yield item;
        }
        await clock.sleep(intervalMs, signal);
      }
    },
  };
}
