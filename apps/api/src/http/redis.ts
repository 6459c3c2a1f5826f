import type { FastifyInstance } from "fastify";
import { Redis } from "ioredis";

/** The connection over which processes count together. While Redis is away or hangs its commands fail soon. */
export function connectRedis(app: FastifyInstance, url: string | undefined): Redis | undefined {
  if (url === undefined) return undefined;
  const redis = new Redis(url, {
    connectTimeout: 500,
    commandTimeout: 500,
    maxRetriesPerRequest: 1,
    // Otherwise a request waits for the next attempt to connect, which takes seconds the longer Redis is away.
    enableOfflineQueue: false,
  });
  redis.on("error", (error) => app.log.error({ err: error }, "redis"));
  app.addHook("onClose", async () => redis.disconnect());
  return redis;
}
