import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";

/**
 * Connects to the Redis in which processes count together, as soon as the server is ready. While Redis is away or hangs
 * its commands fail soon, and the connection is tried again and again.
 */
export function connectRedis(app: FastifyInstance, url: string | undefined): Redis | undefined {
  if (url === undefined) return undefined;
  const redis = new Redis(url, {
    // Building the server blocks the event loop, and a connection made meanwhile would time out though Redis answers.
    lazyConnect: true,
    connectTimeout: 5_000, // Requests do not wait for it: without the queue below their commands fail at once.
    commandTimeout: 500,
    maxRetriesPerRequest: 1,
    // Otherwise a request waits for the next attempt to connect, which takes seconds the longer Redis is away.
    enableOfflineQueue: false,
  });
  logOutages(app, redis, new URL(url).host);
  app.addHook("onReady", async () => {
    redis.connect().catch(() => undefined); // It is logged as an error of the connection, and tried again.
  });
  app.addHook("onClose", async () => redis.disconnect());
  return redis;
}

/** Logs when an outage begins, has another reason, or ends. ioredis reports every attempt, with the password in the error. */
function logOutages({ log }: FastifyInstance, redis: Redis, host: string): void {
  let reason: string | undefined;
  redis.on("error", ({ message, code }: NodeJS.ErrnoException) => {
    const known = reason;
    reason = message || String(code);
    if (reason === known) return;
    log.error(
      `Redis at ${host} (REDIS_URL) cannot be used: ${reason}. ` +
        "Until it can, requests are not limited and each process counts failed sign-ins for itself.",
    );
  });
  redis.on("ready", () => {
    if (reason !== undefined) log.info(`Redis at ${host} (REDIS_URL) can be used again.`);
    reason = undefined;
  });
}
