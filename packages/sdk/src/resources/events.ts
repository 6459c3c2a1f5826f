import type { Call } from "../call.ts";
import { type Follow, type FollowOptions, follow } from "../follow.ts";
import type { CallOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type { EventFeed, Query, WebhookEventResponse } from "../types.ts";
import { Resource } from "./resource.ts";

/** Events of the organization, in order. They need no webhook subscription. Scope: `webhooks:manage`. */
export class Events extends Resource {
  /**
   * Lists events, oldest first, from a `cursor` or a time (`since`) on. The loop ends when there are no more events; see
   * {@link follow} to wait for the next.
   *
   * @throws {@link ParleyError} with `status` 410 if events after the cursor are no longer stored
   *
   * @example
   * for await (const event of parley.events.list({ since: "2026-03-01T00:00:00Z" })) console.log(event.type);
   */
  list(query?: Query<"listEvents">, options?: CallOptions): List<EventFeed["data"][number], EventFeed> {
    return this.session.list("/api/v1/events", { query }, options);
  }

  /**
   * Retrieves an event by ID.
   *
   * @param id - ID of the event
   * @throws {@link NotFoundError} if the organization has no such event, or it is no longer stored
   *
   * @example
   * const { data: event } = await parley.events.get(eventId);
   */
  get(id: string, options?: CallOptions): Call<WebhookEventResponse> {
    return this.session.call("get", "/api/v1/events/{id}", { path: { id } }, options);
  }

  /**
   * Returns an endless iterable of events: first those since `since`, then each new one as it happens. Each event appears
   * once, in order.
   *
   * Leave the loop or abort the `signal` to stop. If you abort it, the loop throws its `reason`. The loop also throws if a
   * request still fails after its retries. A new loop over the same iterable continues after the last event.
   *
   * @throws {@link ParleyError} with `status` 410 if events after `since` are no longer stored
   *
   * @example
   * const events = parley.events.follow({ since: await stored.read(), eventTypes: ["lead.created"] });
   * for await (const event of events) {
   *   console.log(event.type);
   *   await stored.write(events.cursor);
   * }
   */
  follow(options: FollowOptions = {}): Follow {
    return follow((query, call) => this.list(query, call), options);
  }
}
