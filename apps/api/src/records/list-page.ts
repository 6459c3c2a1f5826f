import { type Database, listRecords, type RecordRows } from "@parley/database";
import type { FastifyRequest } from "fastify";
import { callerOf } from "../http/caller.ts";
import { page } from "../http/envelope.ts";

interface ListRequest extends Pick<FastifyRequest, "caller"> {
  query: {
    limit: number;
    offset: number;
    chatbot_id?: string | undefined;
    status?: string | undefined;
    since?: string | undefined;
  };
}

/** Returns one page of the caller's records, with the filters of the query. */
export async function listPage<Table extends keyof RecordRows, Resource>(
  db: Database,
  table: Table,
  request: ListRequest,
  toResource: (row: RecordRows[Table]) => Resource,
) {
  const { chatbot_id: chatbotId, status, since, limit, offset } = request.query;
  const filter = { organizationId: callerOf(request).organizationId, chatbotId, status, since };
  const { rows, total } = await listRecords(db, table, filter, { limit, offset });
  return page(rows.map(toResource), { total, limit, offset });
}
