import type { OpenErasure } from "./erasure.ts";

/**
 * Reads rows in pages.
 *
 * @param size most rows of a page
 * @param first row before the first page
 * @param read reads the rows after a row
 */
export async function* readPages<Row>(
  { signal }: OpenErasure,
  size: number,
  first: Row,
  read: (last: Row) => Promise<{ rows: Row[] }>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined = first; last !== undefined; ) {
    signal.throwIfAborted();
    const { rows }: { rows: Row[] } = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length < size ? undefined : rows.at(-1);
  }
}
