import { hash } from "node:crypto";
import type { Page, Position } from "@parley/database";
import type { FastifyRequest } from "fastify";
import { invalidField } from "./api-error.ts";
import { decodeCursor, encodeCursor, toPosition } from "./cursor.ts";
import { page } from "./envelope.ts";

interface PageRequest extends Pick<FastifyRequest, "routeOptions"> {
  params?: unknown;
  query: { limit: number; offset: number; cursor?: string | undefined };
}

interface RowsOfPage<Row> {
  rows: Row[];
  total: number;
  hasMore: boolean;
}

/**
 * Reads one page of a list, addressed by `cursor` or `offset`, and returns its envelope.
 *
 * @param options.read reads the rows of a page
 * @param options.positionOf returns the position of a row in the order of the list
 * @throws ApiError 400 if the cursor is malformed, is from a list with another path, filter or order, or is sent with an offset
 */
export async function readPage<Row, Resource>(
  request: PageRequest,
  options: {
    read: (page: Page) => Promise<RowsOfPage<Row>>;
    positionOf: (row: Row) => Position;
    toResources: (rows: Row[]) => Resource[] | Promise<Resource[]>;
  },
) {
  const { limit } = request.query;
  const { offset, after } = startOf(request);
  const { rows, total, hasMore } = await options.read({ limit, offset, after });
  const last = rows.at(-1);
  const nextCursor =
    hasMore && last ? encode(request, { offset: offset + rows.length, ...options.positionOf(last) }) : null;
  return page(await options.toResources(rows), { total, limit, offset, hasMore, nextCursor });
}

/** Content of a cursor: where the next page starts. */
interface Start extends Position {
  /** Number of records before it. */
  offset: number;
}

function startOf(request: PageRequest): { offset: number; after?: Position } {
  const { cursor, offset } = request.query;
  if (cursor === undefined) return { offset };
  if (offset !== 0) throw invalidField("query/offset", "must not be sent with a cursor");
  const start = decode(request, cursor);
  if (start === undefined) {
    throw invalidField(
      "query/cursor",
      "must be the meta.next_cursor of a response to a request with the same path, filters and sort",
    );
  }
  return { offset: start.offset, after: { time: start.time, id: start.id } };
}

function encode(request: PageRequest, { offset, time, id }: Start): string {
  return encodeCursor([fingerprint(request), offset, time, id]);
}

function decode(request: PageRequest, cursor: string): Start | undefined {
  const [list, offset, time, id] = decodeCursor(cursor);
  const position = toPosition(time, id);
  if (!position || list !== fingerprint(request) || !Number.isSafeInteger(offset)) return undefined;
  return { ...position, offset: Math.max(0, offset as number) };
}

/** Identifies the list: its path, filters and order. A position means nothing in another list. */
function fingerprint({ routeOptions, params, query }: PageRequest): string {
  const ofPage = ["limit", "offset", "cursor"];
  const ofList = Object.entries(query).filter(([name]) => !ofPage.includes(name));
  const list = JSON.stringify([routeOptions.url, params, ofList.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return hash("sha256", list, "base64url").slice(0, 11);
}
