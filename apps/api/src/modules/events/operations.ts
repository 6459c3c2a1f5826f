import { apiVersion, type Schemas } from "@parley/contract";
import { type Database, isUuid, type Position } from "@parley/database";
import {
  eventsRemovedBefore,
  type FeedStart,
  type FeedWaiters,
  findEventBody,
  readFeed,
} from "@parley/webhooks";
import type { FastifyReply } from "fastify";
import { ApiError, invalidField, notFound } from "../../http/api-error.ts";
import { callerOf } from "../../http/caller.ts";
import { parsePosition, positionText } from "../../http/cursor.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";

const oldest = "1970-01-01T00:00:00.000Z";

export function eventOperations(db: Database, waiters: FeedWaiters): Operations<"listEvents" | "getEvent"> {
  return {
    async listEvents(request, reply) {
      const {
        limit,
        cursor,
        since,
        wait = 0,
        event_types: eventTypes,
        chatbot_id: chatbotId,
      } = request.query;
      if (cursor !== undefined && since !== undefined) {
        throw invalidField("query/since", "must not be sent with a cursor");
      }
      const start = startOf(cursor, since);
      const filter = { organizationId: callerOf(request).organizationId, eventTypes, chatbotId };
      const stored = await readFeed(db, filter, start, limit);
      // Afterwards, because events are removed after this time is set.
      if (typeof start === "object" && "after" in start)
        await requireStored(db, filter.organizationId, start.after);
      const isOver = stored.events.length > 0 || stored.hasMore || wait === 0;
      if (!isOver) request.stopCounting();
      const { events, hasMore, next } = isOver
        ? stored
        : await waiters.wait(filter, stored, { limit, ms: wait * 1_000, signal: closed(reply) });
      const data = events.map(({ body }) => JSON.parse(body) as Schemas["WebhookEvent"]);
      const page = { limit, has_more: hasMore, count: data.length, next_cursor: positionText(next) };
      return { data, meta: { api_version: apiVersion, ...page } };
    },

    async getEvent(request) {
      const { id } = request.params;
      const body = isUuid(id) ? await findEventBody(db, callerOf(request).organizationId, id) : undefined;
      if (body === undefined) throw notFound("event");
      return item(JSON.parse(body) as Schemas["WebhookEvent"]);
    },
  };
}

/** Returns a signal that aborts when the client closes the connection. */
function closed(reply: Pick<FastifyReply, "raw">): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => controller.abort());
  return controller.signal;
}

function startOf(cursor: string | undefined, since = oldest): FeedStart {
  if (cursor === undefined) return { since };
  if (cursor === "latest") return cursor;
  const after = parsePosition(cursor);
  if (!after)
    throw invalidField("query/cursor", "must be latest, or the meta.next_cursor of an earlier response");
  return { after };
}

/** @throws ApiError 410 if events after the position may have been removed */
async function requireStored(db: Database, organizationId: string, { time }: Position): Promise<void> {
  const removedBefore = await eventsRemovedBefore(db, organizationId);
  if (Date.parse(time) >= removedBefore.getTime()) return;
  const first = removedBefore.toISOString();
  throw new ApiError(
    410,
    "not_found",
    `Events before ${first} are no longer stored. Continue with since=${first}.`,
  );
}
