import { isLocalHost } from "@parley/config";
import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";

/**
 * Connects to the Redis server in which processes share their counts, when this server is ready. If Redis does not
 * respond, commands fail within 500 ms, and the client tries to reconnect.
 */
export function connectRedis(app: FastifyInstance, url: string | undefined): Redis | undefined {
  if (url === undefined) return undefined;
  const redis = new Redis(url, {
    // Building the server blocks the event loop. A connection that is opened in this time would time out although Redis
    // responds.
    lazyConnect: true,
    connectTimeout: 5_000, // Requests do not wait for it: without the offline queue, their commands fail immediately.
    commandTimeout: 500,
    maxRetriesPerRequest: 1,
    // With the queue, requests would wait for the next connection attempt, up to several seconds.
    enableOfflineQueue: false,
  });
  const { protocol, host, hostname } = new URL(url);
  if (protocol === "redis:" && !isLocalHost(hostname)) {
    app.log.warn(`connection to Redis at ${host} (REDIS_URL) is not encrypted: use a rediss:// URL`);
  }
  logOutages(app, redis, host);
  app.addHook("onReady", async () => {
    redis.connect().catch(() => undefined); // The "error" event logs it, and the client reconnects.
  });
  app.addHook("onClose", async () => redis.disconnect());
  return redis;
}

/** Logs each reason of an outage once, and its end. ioredis reports every attempt, with the password in the error. */
function logOutages({ log }: FastifyInstance, redis: Redis, host: string): void {
  const reasons = new Set<string>();
  redis.on("error", ({ message, code }: NodeJS.ErrnoException) => {
    const reason = message || String(code);
    if (reasons.has(reason)) return;
    reasons.add(reason);
    log.error(
      `Redis at ${host} (REDIS_URL) is unavailable: ${reason}. ` +
        "Until it is back, requests are not rate-limited and each process counts failed sign-ins separately.",
    );
  });
  redis.on("ready", () => {
    if (reasons.size > 0) log.info(`Redis at ${host} (REDIS_URL) is available again.`);
    reasons.clear();
  });
}
