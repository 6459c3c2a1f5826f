import type { Position } from "@parley/database";
import { invalidField } from "../../../http/api-error.ts";
import { parsePosition, positionText } from "../../../http/cursor.ts";
import { withQuery } from "../addresses.ts";

/** Rows of one page. */
export const pageSize = 50;

type Query = Record<string, string | number | undefined>;

/**
 * Returns the position in the query of a list; undefined on its first page.
 *
 * @throws ApiError 400 if it is malformed
 */
export function startOfPage({ cursor }: { cursor?: string | undefined }): Position | undefined {
  if (cursor === undefined) return undefined;
  const position = parsePosition(cursor);
  if (!position)
    throw invalidField("cursor", "is not from a link of this page. Open the first page of the list.");
  return position;
}

/** Returns the addresses of the first and the next page. @param next position of the next page; null on the last */
export function pageLinks(address: string, query: Query, next: Position | null) {
  return {
    newest: query["cursor"] === undefined ? undefined : withQuery(address, { ...query, cursor: undefined }),
    older: next === null ? undefined : withQuery(address, { ...query, cursor: positionText(next) }),
  };
}
