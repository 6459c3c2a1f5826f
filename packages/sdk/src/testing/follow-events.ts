import { ParleyError } from "../errors/index.ts";
import type { FeedEvent, FollowOptions } from "../follow.ts";
import { systemClock } from "../http/clock.ts";
import type { Parley } from "../parley.ts";
import { newestPosition } from "./newest-position.ts";

/** Options of {@link followEvents}. */
export interface FollowEventsOptions extends FollowOptions {
  /** Signal that ends the loop without an error. */
  readonly signal: AbortSignal;
  /** Function that receives the error when the feed cannot be read, and undefined when it can be read again. */
  readonly onInterruption?: ((error: ParleyError | undefined) => void) | undefined;
}

/** Event with the position after it. */
export interface FollowedEvent {
  /** Event of the feed. */
  readonly event: FeedEvent;
  /** Pass it as `since` to continue after the event. */
  readonly cursor: string;
}

const longestDelay = 30_000;

/**
 * Follows the events like `parley.events.follow()`, but continues after every failure that can end by itself, such as an
 * outage of the API or a proxy that responds instead.
 *
 * @throws {@link ParleyError} if the API refuses the request with 400, 401, 403, 404 or 410
 *
 * @example
 * const signal = AbortSignal.timeout(1000);
 * for await (const { event, cursor } of followEvents(parley, { signal })) console.log(event.type, cursor);
 */
export async function* followEvents(
  parley: Pick<Parley, "events">,
  options: FollowEventsOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  const { signal, onInterruption, ...rest } = options;
  let since = options.since ?? "";
  for (let failures = 0; ; failures++) {
    try {
      since ||= await newestPosition(parley, signal);
      const feed = parley.events.follow({ ...rest, since, signal });
      for await (const event of feed) {
        if (failures > 0) onInterruption?.(undefined);
        failures = 0;
        since = feed.cursor;
        yield { event, cursor: since };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ParleyError) || isPermanent(error)) throw error;
      if (failures === 0) onInterruption?.(error);
      const delay = Math.min(longestDelay, Math.max(1000 * 2 ** failures, (error.retryAfter ?? 0) * 1000));
      await systemClock.sleep(delay, signal).catch(() => {});
      if (signal.aborted) return;
    }
  }
}

function isPermanent({ status = 0, code }: ParleyError): boolean {
  return code !== "unexpected_response" && [400, 401, 403, 404, 410].includes(status);
}
