import type { Call } from "./call.ts";

/** Envelope of one page of a list: `data` with the records and `meta`. */
export interface ListEnvelope<Item> {
  /** Records of the page. */
  readonly data: readonly Item[];
  /** API version, and the cursor of the next page. A list that is not paginated has neither `has_more` nor `next_cursor`. */
  readonly meta: {
    readonly api_version: string;
    readonly has_more?: boolean;
    readonly next_cursor?: string | null;
  };
}

/** Page after the first. */
interface NextPage {
  readonly limit: number;
  readonly cursor: string;
  readonly offset: undefined;
}

/**
 * A list request. `await` returns one page, `{ data, meta }`. `for await` iterates over all records from there on and
 * requests the next pages as needed, with 100 records each unless the query has a `limit`.
 *
 * The next pages start after the last record that you read, by cursor. If a record changes while you read, it moves to the beginning of
 * the list, so you may not see it. With `sort: "created_at"` each record appears exactly once, even if records change meanwhile. Use {@link poll} to
 * receive every change.
 *
 * @example
 * const { data, meta } = await parley.leads.list({ limit: 10 });
 * console.log(`${data.length} of ${meta.total}`);
 * for await (const lead of parley.leads.list()) console.log(lead.id);
 */
export interface List<Item, Page extends ListEnvelope<Item>> extends Call<Page>, AsyncIterable<Item> {
  /**
   * Iterates over the pages, `{ data, meta }`, from the first page on.
   *
   * @example
   * for await (const { data, meta } of parley.leads.list({ limit: 50 }).pages()) console.log(meta.offset, data.length);
   */
  pages(): AsyncGenerator<Page, void, undefined>;
}

/** Largest page size that the API accepts. It needs the fewest requests. */
const largestPage = 100;

/**
 * Requests the first page and returns the list.
 *
 * @param limit - records in later pages; the first has the default size of the API
 * @param load - requests the first page, or another one
 */
export function listOf<Item, Page extends ListEnvelope<Item>>(
  limit: number | undefined,
  load: (page?: NextPage) => Call<Page>,
): List<Item, Page> {
  const first = load();
  // Not an unhandled rejection: a later loop throws the error.
  first.catch(() => {});

  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let page = await first;
    yield page;
    while (page.meta.has_more && page.meta.next_cursor) {
      page = await load({ limit: limit ?? largestPage, cursor: page.meta.next_cursor, offset: undefined });
      yield page;
    }
  }

  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
