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
