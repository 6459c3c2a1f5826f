import pg from "pg";

/** SQLSTATE classes of errors in the data of a statement, not in the connection or the server. */
const dataErrorClasses = new Set([
  "22", // data exception
  "23", // integrity constraint violation
  "54", // program limit exceeded
  "P0", // raised by a function or trigger
]);

/** Corrupted data and corrupted index. Other errors of class XX may affect every statement. */
const corrupted = new Set(["XX001", "XX002"]);

/** Checks whether an error comes from the data of a statement, so that it may succeed with other data. */
function isDataError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return false;
  return dataErrorClasses.has(error.code.slice(0, 2)) || corrupted.has(error.code);
}

interface Isolated<Item, Row> {
  rows: Row[];
  /** The items that fail individually, each with its error. */
  failed: { item: Item; error: unknown }[];
}

/**
 * Runs a statement for many items. If it fails because of the data, splits the items in halves until only items that fail individually
 * are left out, so that one bad subscription does not stop the others.
 *
 * @throws all other errors, for example a lost connection
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
