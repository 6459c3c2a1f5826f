import { isUuid, type Position } from "@parley/database";

/** Returns the text of a position, for a cursor. */
export function positionText({ time, id }: Position): string {
  return encodeCursor([time, id]);
}

/** Returns the position in a cursor; undefined if it is malformed. */
export function parsePosition(cursor: string): Position | undefined {
  const [time, id] = decodeCursor(cursor);
  return toPosition(time, id);
}

/** Encodes values as an opaque text without special characters. */
export function encodeCursor(values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Returns the values in a cursor; none if it is malformed. */
export function decodeCursor(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

/** Returns a position with these values; undefined if they are none. */
export function toPosition(time: unknown, id: unknown): Position | undefined {
  if (typeof time !== "string" || !isTime(time) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { time, id };
}

/** Checks whether a text is a time as `toISOString` returns it, which PostgreSQL has too: not 30 February, not the year 0. */
function isTime(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}
