import { isDeepStrictEqual } from "node:util";
import type { Schemas } from "@parley/contract";
import { invalidField } from "../http/api-error.ts";

/** Row after an upsert, and the upsert's result. */
export interface Written<Row> {
  row: Row;
  result: Schemas["UpsertResult"];
}

/**
 * Checks that a field that cannot change after creation has its stored value or is left out.
 *
 * @param field path into the request, for example `body/chatbot_external_id`
 * @throws ApiError 400 if `wanted` differs from the stored value
 */
export function requireSame(wanted: unknown, stored: unknown, field: string): void {
  if (wanted !== undefined && wanted !== stored) {
    throw invalidField(field, "cannot be changed. Send the stored value, or leave the field out.");
  }
}

/** Returns the members of `wanted` that are given and differ from those of `before`. */
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

/** Returns the members that are not undefined, including null. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<Members>;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the old values of the attributes that changed, without `updated_at`, which always changes. */
export function previousAttributes(before: object, after: object): Record<string, unknown> {
  const { updated_at: _, ...old } = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(old).filter(([name, value]) => !isDeepStrictEqual(value, now[name])),
  );
}
