import pg from "pg";

/** Classes of SQLSTATE that speak of the data of a statement, not of the connection or the server. */
const classesOfData = new Set([
  "22", // data exception
  "23", // integrity constraint violation
  "54", // program limit exceeded
  "P0", // raised by a function or trigger
]);

/** Corrupted data, corrupted index. Other errors of class XX may concern every statement. */
const corrupted = new Set(["XX001", "XX002"]);

/** Whether the error comes from the data that a statement reads or writes, so that other data may work. */
function isDataError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return classesOfData.has(error.code.slice(0, 2)) || corrupted.has(error.code);
}

interface Isolated<Item, Row> {
  rows: Row[];
  /** The items that fail by themselves, each with its error. */
  failed: { item: Item; error: unknown }[];
}

/**
 * Runs a statement for many items. If the data of one makes it fail, runs it for each half, until only the items that
 * fail by themselves are left out: one bad subscription must not stop the others.
 *
 * @throws every error that is not about data, for example a lost connection
 */
export async function isolate<Item, Row>(
  items: Item[],
  run: (items: Item[]) => Promise<Row[]>,
): Promise<Isolated<Item, Row>> {
  try {
    return { rows: items.length > 0 ? await run(items) : [], failed: [] };
  } catch (error) {
    const [only] = items;
    if (only === undefined || !isDataError(error)) throw error;
    if (items.length === 1) return { rows: [], failed: [{ item: only, error }] };
    const middle = Math.ceil(items.length / 2);
    const first = await isolate(items.slice(0, middle), run);
    const second = await isolate(items.slice(middle), run);
    return { rows: [...first.rows, ...second.rows], failed: [...first.failed, ...second.failed] };
  }
}
