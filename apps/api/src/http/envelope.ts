import { apiVersion, type Schemas } from "@parley/contract";

/** Returns the envelope of a single record: `data`, and `meta` with the API version. */
export function item<Data>(data: Data): { data: Data; meta: Schemas["Meta"] } {
  return { data, meta: { api_version: apiVersion } };
}

interface PageOptions {
  total: number;
  limit: number;
  /** Number of records before the page. */
  offset: number;
  hasMore: boolean;
  nextCursor: string | null;
}

/** Returns the envelope of one page of `total` records. */
export function page<Data>(
  data: Data[],
  { total, limit, offset, hasMore, nextCursor }: PageOptions,
): { data: Data[]; meta: Schemas["PageMeta"] } {
  const numbers = { total, limit, offset, has_more: hasMore, count: data.length };
  return { data, meta: { api_version: apiVersion, ...numbers, next_cursor: nextCursor } };
}

/** Returns the envelope of a list without pagination. */
export function list<Data>(data: Data[]): { data: Data[]; meta: Schemas["ListMeta"] } {
  return { data, meta: { api_version: apiVersion, total: data.length, count: data.length } };
}
