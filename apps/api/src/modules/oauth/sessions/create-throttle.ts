import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Limit, Throttle, ThrottleOptions } from "./throttle.ts";
import { throttleInMemory } from "./throttle-in-memory.ts";

/** Creates a throttle that counts in Redis. Without Redis, or while Redis is unavailable, it counts in this process. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const memory = throttleInMemory(options);
  if (!options.redis) return memory;
  const shared = throttleInRedis({ ...options, redis: options.redis });
  return {
    attempt: (limits) => shared.attempt(limits).catch(() => memory.attempt(limits)),
    forgive: (limits) => shared.forgive(limits).catch(() => memory.forgive(limits)),
  };
}

/** Runs atomically in Redis, so that concurrent attempts of several processes cannot exceed a limit. */
const attempt = `
  local wait = 0
  for i, key in ipairs(KEYS) do
    if tonumber(redis.call("GET", key) or "0") >= tonumber(ARGV[i + 1]) then
      wait = math.max(wait, redis.call("PTTL", key))
    end
  end
  if wait > 0 then return wait end
  for _, key in ipairs(KEYS) do
    if redis.call("INCR", key) == 1 then redis.call("PEXPIRE", key, ARGV[1]) end
  end
  return 0`;

const forgive = `
  for _, key in ipairs(KEYS) do
    if redis.call("EXISTS", key) == 1 then redis.call("DECR", key) end
  end`;

/** Creates a throttle that counts for all processes together. It rejects if a command fails. */
function throttleInRedis({
  name,
  windowMs,
  redis,
}: Pick<ThrottleOptions, "name" | "windowMs"> & { redis: Redis }): Throttle {
  // Hashed, so that Redis contains no emails or addresses. The braces keep the keys on one node of a cluster.
  const keyOf = ({ key }: Limit) =>
    `{parley-throttle-${name}}-${createHash("sha256").update(key).digest("base64url")}`;
  return {
    async attempt(limits) {
      const failures = limits.map((limit) => limit.failures);
      return Number(await redis.eval(attempt, limits.length, ...limits.map(keyOf), windowMs, ...failures));
    },
    async forgive(limits) {
      await redis.eval(forgive, limits.length, ...limits.map(keyOf));
    },
  };
}
