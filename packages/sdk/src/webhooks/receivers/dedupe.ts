/**
 * Remembers deliveries. Parley sends one again when it did not hear the answer, so the same may come twice, even at the
 * same time.
 *
 * @example Redis, for several processes
 * const dedupe: Dedupe = {
 *   async claim(id) {
 *     if (await redis.set(`parley:${id}`, "busy", { NX: true, EX: 60 })) return "new";
 *     return (await redis.get(`parley:${id}`)) === "handled" ? "handled" : "busy";
 *   },
 *   done: (id) => redis.set(`parley:${id}`, "handled", { EX: 3 * 86_400 }),
 *   release: (id) => redis.del(`parley:${id}`),
 * };
 */
export interface Dedupe {
  /** Says what is known of a delivery, and takes note that it is being handled, in one step. */
  claim(id: string): DeliveryState | Promise<DeliveryState>;
  /** It was handled: do not handle it again. */
  done(id: string): unknown;
  /** Its handler failed: handle it when it comes again. */
  release(id: string): unknown;
}

/** `new`: handle it now; `busy`: another request is handling it, or died doing so; `handled`: it is done. */
export type DeliveryState = "new" | "busy" | "handled";

/**
 * Remembers deliveries in this process, until it ends. For several processes see the example of {@link Dedupe}.
 *
 * @param size - how many; the oldest are forgotten first. Default 10,000
 *
 * @example
 * const receiver = receiveWebhooks({ secret, dedupe: memoryDedupe(), on: {} });
 */
export function memoryDedupe(size: number = 10_000): Dedupe {
  const states = new Map<string, "busy" | "handled">();
  return {
    claim(id) {
      const state = states.get(id);
      if (state) return state;
      states.set(id, "busy");
      for (const oldest of states.keys()) {
        if (states.size <= size) break;
        states.delete(oldest);
      }
      return "new";
    },
    done: (id) => states.has(id) && states.set(id, "handled"),
    release: (id) => states.delete(id),
  };
}
