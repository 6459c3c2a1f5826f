import { isDeepStrictEqual } from "node:util";
import type { Schemas } from "@parley/contract";
import { invalidField } from "../http/api-error.ts";

/** A row after it was written, and what became of it. */
export interface Written<Row> {
  row: Row;
  result: Schemas["UpsertResult"];
}

/**
 * Some members of a record are fixed once it is there.
 *
 * @param field path into the request, for example `body/chatbot_external_id`
 * @throws ApiError 400 when `wanted` differs from what is there
 */
export function requireSame(wanted: unknown, there: unknown, field: string): void {
  if (wanted !== undefined && wanted !== there) {
    throw invalidField(field, "cannot change: the record is there already with another one");
  }
}

/** The members of `wanted` that are given and differ from what is there. */
export function differences<Members extends object>(
  wanted: Members,
  before: Record<keyof Members, unknown>,
): Given<Members> {
  return Object.fromEntries(
    Object.entries(given(wanted)).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name as keyof Members]),
    ),
  ) as Given<Members>;
}

/** The members that are given; null is a value. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<Members>;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The old values of the attributes that changed, apart from `updated_at`, which always does. */
export function previousAttributes(before: object, after: object): Record<string, unknown> {
  const { updated_at: _, ...old } = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(old).filter(([name, value]) => !isDeepStrictEqual(value, now[name])),
  );
}
