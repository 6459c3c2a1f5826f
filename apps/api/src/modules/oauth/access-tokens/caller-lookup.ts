import { type Database, hashToken, startListener } from "@parley/database";
import type { FastifyInstance } from "fastify";
import type { FindCaller } from "../../../http/security.ts";
import { type CallerCacheObserver, createCallerCache } from "./caller-cache.ts";
import { findCaller } from "./find-caller.ts";
import { createGrantUsage } from "./grant-usage.ts";

/** The channel that the triggers on tokens, grants and organizations notify. */
const channel = "parley_token_cache";

/** Format of a payload. It is checked, because every database client can send notifications. */
const subject = /^(everything|token [0-9a-f]{64}|(grant|user|client|organization) [0-9a-f-]{36})$/;

interface CallerLookupOptions {
  db: Database;
  directUrl: string;
  /** Milliseconds since 1970. Default: the clock of this machine. */
  clock?: () => number;
  observer?: CallerCacheObserver | undefined;
}

/**
 * Creates the lookup of callers by access token, with a cache that notifications of the database invalidate. A revoked
 * token, a changed plan or a deleted account takes effect within seconds in every process (RFC 7009 section 2.1). The
 * lookup stops with the server.
 */
export function createCallerLookup(
  app: FastifyInstance,
  { db, directUrl, clock = Date.now, observer }: CallerLookupOptions,
): FindCaller {
  const cache = createCallerCache(clock, observer);
  const usage = createGrantUsage(db, clock, (error) =>
    app.log.warn({ err: error }, "recording the last use of grants failed"),
  );
  const listener = startListener(directUrl, channel, {
    opened: cache.enable,
    notified(payload) {
      if (subject.test(payload)) cache.invalidate(payload);
      else app.log.warn({ channel }, "malformed notification ignored");
    },
    lost(error) {
      cache.disable();
      app.log.warn(
        { err: error },
        "token cache disabled until the database connection for notifications is restored",
      );
    },
  });
  app.addHook("onClose", async () => {
    await listener.stop();
    await usage.flush();
  });

  return async (accessToken) => {
    const hash = hashToken(accessToken);
    const caller = await cache.find(Buffer.from(hash).toString("hex"), () =>
      findCaller(db, hash, new Date(clock())),
    );
    if (caller) usage.record(caller.grantId);
    return caller;
  };
}
