import {
  apiVersion,
  type EventType,
  eventTypes,
  type Schemas,
  type Scope,
  scopeOfEvent,
} from "@parley/contract";
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
import { type Caller, callerOf } from "../../http/caller.ts";
import { parsePosition, positionText } from "../../http/cursor.ts";
import { item } from "../../http/envelope.ts";
import type { Operations } from "../../http/handlers.ts";
import { insufficientScope } from "../../http/security.ts";

const oldest = "1970-01-01T00:00:00.000Z";

export function eventOperations(db: Database, waiters: FeedWaiters): Operations<"listEvents" | "getEvent"> {
  return {
    async listEvents(request, reply) {
      const { limit, cursor, since, wait = 0, event_types: wanted, chatbot_id: chatbotId } = request.query;
      if (cursor !== undefined && since !== undefined) {
        throw invalidField("query/since", "must not be sent with a cursor");
      }
      const start = startOf(cursor, since);
      const caller = callerOf(request);
      const readable = eventTypes.filter((type) => mayRead(caller, type));
      if (wanted) requireReadable(caller, wanted);
      const filter = {
        organizationId: caller.organizationId,
        eventTypes: wanted ?? (readable.length < eventTypes.length ? readable : undefined),
        chatbotId,
      };
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
      return { data, meta: { api_version: apiVersion, ...page, event_types: readable } };
    },

    async getEvent(request) {
      const { id } = request.params;
      const caller = callerOf(request);
      const body = isUuid(id) ? await findEventBody(db, caller.organizationId, id) : undefined;
      if (body === undefined) throw notFound("event");
      const event = JSON.parse(body) as Schemas["WebhookEvent"];
      requireReadable(caller, [event.type]);
      return item(event);
    },
  };
}

function mayRead({ scopes }: Caller, type: EventType): boolean {
  const scope = scopeOfEvent(type);
  return scope === null || scopes.includes(scope);
}

/** @throws ApiError 403 if the token may not read one of the types */
function requireReadable(caller: Caller, types: EventType[]): void {
  const others = types.filter((type) => !mayRead(caller, type));
  if (others.length === 0) return;
  const missing = [...new Set(others.map(scopeOfEvent))].filter((scope): scope is Scope => scope !== null);
  const description = `To read ${others.join(", ")}, this request also needs the scope ${missing.join(" ")}.`;
  throw insufficientScope(["webhooks:manage", ...missing], description);
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
