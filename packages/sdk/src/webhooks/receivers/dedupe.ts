/**
 * Remembers deliveries. Parley sends one again when it did not hear the answer, so the same may come twice, even at the
 * same time. It keeps out repetitions, not an attacker: the id of a delivery is not signed.
 *
 * @example Redis, for several processes; a handler may take a minute
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
   * Says what is known of a delivery, and takes note that it is being handled, in one step. `busy` is answered with 503,
   * a failed attempt for Parley: better wait for the outcome, where that is possible.
   *
   * @param key - the ids of the delivery and of its event
   */
  claim(key: string): DeliveryState | Promise<DeliveryState>;
  /** It was handled: do not handle it again. */
  done(key: string): unknown;
  /** Its handler failed: handle it when it comes again. */
  release(key: string): unknown;
}

/** `new`: handle it now; `busy`: another request is handling it, or died doing so; `handled`: it is done. */
export type DeliveryState = "new" | "busy" | "handled";

/**
 * Remembers deliveries in this process, until it ends. One that comes while it is being handled waits for the outcome. For
 * several processes see the example of {@link Dedupe}.
 *
 * @param size - how many; the oldest are forgotten first. Default 10,000
 *
 * @example
 * const receiver = receiveWebhooks({ secret, dedupe: memoryDedupe(), on: {} });
 */
export function memoryDedupe(size: number = 10_000): Dedupe {
  /** What will have become of each: whether it was handled. */
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
