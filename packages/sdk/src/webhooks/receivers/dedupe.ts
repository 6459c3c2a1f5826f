/**
 * Store of handled deliveries. Parley retries a delivery if the response was lost, so a delivery can arrive twice, even
 * at the same time. The ID is signed, so that a captured request cannot be repeated with another ID.
 *
 * @example Redis, for several processes. A handler can take up to 60 seconds.
 * const dedupe: Dedupe = {
 *   async claim(key) {
 *     if (await redis.set(`parley:${key}`, "busy", { NX: true, EX: 60 })) return "new";
 *     return (await redis.get(`parley:${key}`)) === "handled" ? "handled" : "busy";
 *   },
 *   done: (key) => redis.set(`parley:${key}`, "handled", { EX: 3 * 86_400 }),
 *   release: (key) => redis.del(`parley:${key}`),
 * };
 */
export interface Dedupe {
  /**
   * Returns the state of a delivery, and atomically marks a new delivery as being handled. If it returns `busy`, the
   * receiver responds with 503, which Parley counts as a failed attempt. If possible, wait for the result instead.
   *
   * @param key - IDs of the delivery and its event
   */
  claim(key: string): DeliveryState | Promise<DeliveryState>;
  /** Marks the delivery as handled. */
  done(key: string): unknown;
  /** Marks the delivery as new again, because its handler failed. */
  release(key: string): unknown;
}

/**
 * State of a delivery. `new`: not handled yet. `busy`: another request is handling it, or crashed while it was handling
 * it. `handled`: already handled.
 */
export type DeliveryState = "new" | "busy" | "handled";

/**
 * Returns a {@link Dedupe} that stores deliveries in the memory of this process. If a delivery arrives again while it
 * is being handled, the second request waits for the result of the first. For several processes, see the example of
 * {@link Dedupe}.
 *
 * @param size - number of deliveries to store; the oldest are removed first. Default: 10,000
 *
 * @example
 * const receiver = receiveWebhooks({ secret, dedupe: memoryDedupe(), on: {} });
 */
export function memoryDedupe(size: number = 10_000): Dedupe {
  /** Resolves to whether the delivery was handled. */
  const outcomes = new Map<string, Promise<boolean>>();
  const settle = new Map<string, (handled: boolean) => void>();

  function finish(key: string, handled: boolean): void {
    settle.get(key)?.(handled);
    settle.delete(key);
    if (!handled) outcomes.delete(key);
  }

  return {
    async claim(key) {
      while (outcomes.has(key)) if (await outcomes.get(key)) return "handled";
      outcomes.set(key, new Promise((resolve) => settle.set(key, resolve)));
      for (const oldest of outcomes.keys()) {
        if (outcomes.size <= size) break;
        outcomes.delete(oldest);
      }
      return "new";
    },
    done: (key) => finish(key, true),
    release: (key) => finish(key, false),
  };
}
