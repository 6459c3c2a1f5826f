import { isDeepStrictEqual } from "node:util";

/**
 * Brings a record to the values that are given; undefined leaves one as it is.
 *
 * @returns the old values of what differed
 */
export function change(record: object, given: object): Record<string, unknown> {
  const members = record as Record<string, unknown>;
  const previous: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || isDeepStrictEqual(value, members[name])) continue;
    previous[name] = members[name];
    members[name] = value;
  }
  return previous;
}

export function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

export interface Person {
  name: string | null;
  email: string | null;
}

export const nobody: Person = { name: null, email: null };
