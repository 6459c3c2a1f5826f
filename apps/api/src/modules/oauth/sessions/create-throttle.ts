import type { Throttle, ThrottleOptions } from "./throttle.ts";
import { throttleInMemory } from "./throttle-in-memory.ts";
import { throttleInRedis } from "./throttle-in-redis.ts";

/** Creates a throttle that counts in Redis, or in this process without Redis or while Redis is unavailable. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const memory = throttleInMemory(options);
  if (!options.redis) return memory;
  const shared = throttleInRedis({ ...options, redis: options.redis });
  return {
    attempt: (limits) => shared.attempt(limits).catch(() => memory.attempt(limits)),
    forgive: (limits) => shared.forgive(limits).catch(() => memory.forgive(limits)),
  };
}
