import type { ParleyError } from "../errors/index.ts";
import { httpUrl } from "../http/base-url.ts";
import { systemClock } from "../http/clock.ts";
import type { Parley } from "../parley.ts";
import type { EventTypeInput } from "../types.ts";
import { followEvents } from "./follow-events.ts";
import { newestPosition } from "./newest-position.ts";
import { type SendOptions, type SentDelivery, sendWebhook } from "./send-webhook.ts";

/** Options of {@link forwardEvents}. */
export interface ForwardOptions extends Omit<SendOptions, "deliveryId"> {
  /** URL of your receiver, for example `http://127.0.0.1:3000/hook`. */
  readonly to: string | URL;
  /** Only events of these types. Default: all. */
  readonly eventTypes?: readonly EventTypeInput[] | undefined;
  /** Only events of this chatbot. Default: all. */
  readonly chatbotId?: string | undefined;
  /** Where to start: a time in RFC 3339, or the `cursor` of an earlier forwarder. Default: after the newest event. */
  readonly since?: string | undefined;
  /** Number of retries of a failed delivery, after 1, 2, 4 … and at most 30 seconds. Later events wait. Default: 0. */
  readonly retries?: number | undefined;
  /** Function that receives the result of each attempt. */
  readonly onDelivery?: ((delivery: SentDelivery) => void) | undefined;
  /** Function that receives the error when the feed cannot be read, and undefined when it can be read again. */
  readonly onInterruption?: ((error: ParleyError | undefined) => void) | undefined;
}

/** Running forwarder, returned by {@link forwardEvents}. */
export interface EventForwarder {
  /** Position after the last event that was sent. Pass it as `since` to continue there. */
  readonly cursor: string;
  /**
   * Resolves when the forwarder is closed or its signal is aborted. Rejects if the feed cannot be read, for example with an
   * {@link InvalidTokenError}.
   */
  readonly done: Promise<void>;
  /** Stops the forwarder. An attempt in flight is aborted. */
  close(): Promise<void>;
}

/**
 * Sends the events of the organization to a receiver that Parley cannot reach, such as a program on your own machine: reads
 * the event feed, and signs and sends each event as Parley sends a delivery. One event is sent at a time, in order. While the
 * API fails or cannot be reached, it retries.
 *
 * The promise resolves when the forwarder is ready, so it forwards every event that happens after that.
 *
 * @throws TypeError if `to` is not an absolute http or https URL
 * @throws {@link ParleyError} if the feed cannot be read, for example without the scope `webhooks:manage`
 *
 * @example
 * const forwarder = await forwardEvents(parley, { to: "http://127.0.0.1:3000/hook", secret });
 * await parley.leads.create({ chatbot_id: chatbotId, contact: { name: "Ada Novak" } });
 * // … wait until your program has handled the event, then:
 * await forwarder.close();
 */
export async function forwardEvents(
  parley: Pick<Parley, "events">,
  options: ForwardOptions,
): Promise<EventForwarder> {
  const { eventTypes, chatbotId, retries = 0, onDelivery, onInterruption } = options;
  const to = httpUrl("to", options.to);
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort();
  options.signal?.addEventListener("abort", stop, { once: true });
  if (options.signal?.aborted) stop();

  const since = options.since ?? (await newestPosition(parley, signal));
  const events = followEvents(parley, { since, eventTypes, chatbotId, signal, onInterruption });
  let cursor = since;
  const done = forward()
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    })
    .finally(() => options.signal?.removeEventListener("abort", stop));
  done.catch(() => {}); // Not an unhandled rejection: `close` and `done` reject.

  return {
    get cursor() {
      return cursor;
    },
    done,
    close() {
      stop();
      return done;
    },
  };

  async function forward(): Promise<void> {
    for await (const { event, cursor: position } of events) {
      const deliveryId = crypto.randomUUID();
      for (let attempt = 1; ; attempt++) {
        const result = await sendWebhook(to, event, { ...options, deliveryId, signal });
        onDelivery?.({ ...result, attempt });
        if (result.delivered || attempt > retries) break;
        await systemClock.sleep(Math.min(30_000, 1000 * 2 ** (attempt - 1)), signal);
      }
      cursor = position;
    }
  }
}
