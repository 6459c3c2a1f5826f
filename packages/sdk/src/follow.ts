import type { CallOptions } from "./http/options.ts";
import type { EventFeed, EventTypeInput, Query } from "./types.ts";

/** Event of the feed, as in the body of a webhook delivery. */
export type FeedEvent = EventFeed["data"][number];

/**
 * Options of {@link Events.follow}.
 *
 * @example
 * const signal = AbortSignal.timeout(3_600_000);
 * const events = parley.events.follow({ since: "2026-03-01T09:00:00Z", eventTypes: ["ticket.created"], signal });
 */
export interface FollowOptions extends CallOptions {
  /** Timeout of one attempt, in milliseconds; 0 for none. Default: 35,000, because the API waits up to 25 seconds for an event. */
  readonly timeoutMs?: number | undefined;
  /** Longest time of one request with its retries and waits, in milliseconds. Default: no limit. */
  readonly deadlineMs?: number | undefined;
  /**
   * Where to start: a time in RFC 3339 with `Z` or an offset (inclusive), or the {@link Follow.cursor} of an earlier loop.
   * Default: after the newest event.
   */
  readonly since?: string | undefined;
  /** Only events of these types. Default: all. */
  readonly eventTypes?: readonly EventTypeInput[] | undefined;
  /** Only events of this chatbot. Default: all. */
  readonly chatbotId?: string | undefined;
}

/** Endless iterable of events, returned by {@link Events.follow}. */
export interface Follow extends AsyncIterable<FeedEvent> {
  /**
   * Position after the last event. Store it when you have handled the event, and pass it as `since` to continue there,
   * also in another process. Use it with the same filters. Empty until the first response if there is no `since`.
   */
  readonly cursor: string;
}

type Load = (query: Query<"listEvents">, call: CallOptions) => Promise<EventFeed>;

/** Longest time in seconds for which the API waits for the next event. */
const longestWait = 25;

/**
 * Follows the event feed.
 *
 * A cursor is the `since` or `cursor` that requests the current page. After an event, a space and the ID of the event follow.
 */
export function follow(load: Load, options: FollowOptions): Follow {
  const { since = "", eventTypes, chatbotId, timeoutMs = 35_000, ...call } = options;
  let [position = "", read = ""] = since.split(" ");
  const longest = timeoutMs === 0 ? longestWait : Math.floor(timeoutMs / 1000) - 5;
  const wait = Math.max(1, Math.min(longestWait, longest));
  // Undefined values are left out of the query.
  const filter = { event_types: eventTypes, chatbot_id: chatbotId } as Query<"listEvents">;

  function start(): Query<"listEvents"> {
    if (position === "") return { cursor: "latest" };
    return /^\d{4}-/.test(position) ? { since: position } : { cursor: position, wait };
  }

  return {
    get cursor() {
      return [position, read].filter(Boolean).join(" ");
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { data, meta } = await load(
          { limit: 100, ...start(), ...filter },
          { deadlineMs: Infinity, ...call, timeoutMs },
        );
        for (const event of data.slice(data.findIndex(({ id }) => id === read) + 1)) {
          read = event.id;
          yield event;
        }
        [position, read] = [meta.next_cursor, ""];
      }
    },
  };
}
