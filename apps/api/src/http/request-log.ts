import { randomUUID } from "node:crypto";
import { type ApiRequestEntry, type Database, recordRequests } from "@parley/database";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RequestBuffer, type RequestBufferObserver } from "./request-buffer.ts";
import { withoutCredentials } from "./without-credentials.ts";

/** Maximum length of a description, in UTF-16 code units. */
const longestDescription = 300;
const longestFlushAtCloseMs = 2_000;

/**
 * Logs every request of an access token or a platform key for its organization, without bodies, query values and secrets. Entries are
 * written after the response, so that no request waits for them.
 *
 * @param options.keepsEntries whether entries are stored; requests are counted in any case
 */
export function logRequests(
  app: FastifyInstance,
  db: Database,
  options: { keepsEntries: boolean; observer?: RequestBufferObserver | undefined },
): void {
  const buffer = new RequestBuffer(
    (entries, counts) => recordRequests(db, entries, counts),
    options.keepsEntries,
    app.log,
    options.observer,
  );
  function log(request: FastifyRequest, reply: FastifyReply): void {
    const entry = entryOf(request, reply);
    if (entry) buffer.add(entry);
  }
  app.addHook("onResponse", (request, reply, done) => {
    log(request, reply);
    done();
  });
  // A client that disconnected gets no response, so that onResponse does not run for its request.
  app.addHook("onSend", (request, reply, payload, done) => {
    if (reply.raw.destroyed) log(request, reply);
    done(null, payload);
  });
  app.addHook("onClose", () => buffer.close(longestFlushAtCloseMs));
}

/** Returns the entry of a request; undefined if no organization made it. */
function entryOf(request: FastifyRequest, reply: FastifyReply): ApiRequestEntry | undefined {
  const { caller, error, routeOptions } = request;
  const organizationId = caller?.organizationId ?? request.platformOrganizationId;
  const route = routeOptions.config.operation?.path;
  if (organizationId === null || route === undefined) return undefined;
  const durationMs = Math.round(reply.elapsedTime);
  return {
    id: randomUUID(),
    organizationId,
    requestedAt: Date.now() - durationMs,
    method: request.method,
    route,
    statusCode: reply.statusCode,
    durationMs,
    clientId: caller?.clientId ?? null,
    userId: caller?.userId ?? null,
    grantId: caller?.grantId ?? null,
    requestId: request.id,
    errorCode: error?.code ?? null,
    // Well-formed, because the cut may leave half of a character, which PostgreSQL rejects.
    errorDescription: error
      ? withoutCredentials(error.loggedDescription).slice(0, longestDescription).toWellFormed()
      : null,
  };
}
