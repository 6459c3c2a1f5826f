import { isDeepStrictEqual } from "node:util";

/** The members of `wanted` that are given and differ from what is there. */
export function differences<Row extends object>(wanted: Partial<Row>, before: Row): Partial<Row> {
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(value, before[name as keyof Row]),
    ),
  ) as Partial<Row>;
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
