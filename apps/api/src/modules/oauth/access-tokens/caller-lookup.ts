import { type Database, hashToken, startListener } from "@parley/database";
import type { FastifyInstance } from "fastify";
import type { FindCaller } from "../../../http/security.ts";
import { createCallerCache } from "./caller-cache.ts";
import { findCaller } from "./find-caller.ts";
import { createGrantUsage } from "./grant-usage.ts";

/** The channel that the triggers on tokens, grants and organizations notify. */
const channel = "parley_token_cache";

/** A payload: what changed. Everyone who may connect to the database can send one. */
const subject = /^(everything|token [0-9a-f]{64}|(grant|user|client|organization) [0-9a-f-]{36})$/;

/**
 * Finds callers, and remembers them as long as the database tells of every change: a token that is revoked, a plan that
 * changes, an account that is deleted counts within seconds in every process (RFC 7009 section 2.1). Ends with the server.
 */
export function rememberCallers(
  app: FastifyInstance,
  { db, databaseUrl, clock = Date.now }: { db: Database; databaseUrl: string; clock?: () => number },
): FindCaller {
  const cache = createCallerCache(clock);
  const usage = createGrantUsage(db, clock, (error) =>
    app.log.warn({ err: error }, "last use of grants could not be recorded"),
  );
  const listener = startListener(databaseUrl, channel, {
    opened: cache.open,
    notified(payload) {
      if (subject.test(payload)) cache.changed(payload);
      else app.log.warn({ channel }, "malformed notification dropped");
    },
    lost(error) {
      cache.shut();
      app.log.warn(
        { err: error },
        "tokens are looked up for each request until the database can be heard again",
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
    if (caller) usage.used(caller.grantId);
    return caller;
  };
}
