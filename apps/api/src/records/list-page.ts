import {
  type Database,
  listRecords,
  type Position,
  type RecordRows,
  type RecordSort,
} from "@parley/database";
import type { FastifyRequest } from "fastify";
import { invalidField } from "../http/api-error.ts";
import { callerOf } from "../http/caller.ts";
import { readPage } from "../http/pages.ts";

interface ListRequest extends Pick<FastifyRequest, "caller" | "routeOptions"> {
  query: {
    limit: number;
    offset: number;
    cursor?: string | undefined;
    sort: RecordSort;
    chatbot_id?: string | undefined;
    status?: string | undefined;
    since?: string | undefined;
    updated_before?: string | undefined;
    created_after?: string | undefined;
    created_before?: string | undefined;
    email?: string | undefined;
    phone?: string | undefined;
    external_id?: string | undefined;
    q?: string | undefined;
  };
}

/** Returns one page of the caller's records, with the filters of the query. */
export function listPage<Table extends keyof RecordRows, Resource>(
  db: Database,
  table: Table,
  request: ListRequest,
  toResources: (rows: RecordRows[Table][]) => Resource[] | Promise<Resource[]>,
) {
  const { organizationId } = callerOf(request);
  const {
    chatbot_id: chatbotId,
    status,
    since,
    email,
    phone,
    external_id: externalId,
    q,
    sort,
  } = request.query;
  const {
    updated_before: updatedBefore,
    created_after: createdAfter,
    created_before: createdBefore,
  } = request.query;
  if (q !== undefined && !/[\p{L}\p{N}]/u.test(q)) {
    throw invalidField("query/q", "must contain a letter or a digit");
  }
  if (phone !== undefined && !/\d/.test(phone)) throw invalidField("query/phone", "must contain a digit");
  const times = { since, updatedBefore, createdAfter, createdBefore };
  const filter = { organizationId, chatbotId, status, email, phone, externalId, q, ...times };
  return readPage(request, {
    read: (page) => listRecords(db, table, filter, page, sort),
    positionOf: (row) => positionOf(row, sort),
    toResources,
  });
}

function positionOf(row: RecordRows[keyof RecordRows], sort: RecordSort): Position {
  const createdAt = "createdAt" in row ? row.createdAt : row.startedAt;
  const time = sort.endsWith("created_at") ? createdAt : row.updatedAt;
  return { time: time.toISOString(), id: row.id };
}
