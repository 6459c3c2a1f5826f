/** Envelope of one page of a list: `data` with the records and `meta`. */
export interface ListEnvelope<Item> {
  /** Records of the page. */
  readonly data: readonly Item[];
  /** API version, and whether more records follow. A list that is not paginated has no `has_more`. */
  readonly meta: { readonly api_version: string; readonly has_more?: boolean };
}

/** Page to load. Default: the page of the query, or the defaults of the API. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * A list request. `await` returns one page, `{ data, meta }`. `for await` iterates over all records from there on and
 * requests the next pages as needed, with 100 records each unless the query has a `limit`.
 *
 * Pages are addressed by offset. If the list changes while you read it, a record can appear twice or be missing; use
 * {@link poll} to receive every change.
 *
 * @example
 * const { data, meta } = await parley.leads.list({ limit: 10 });
 * console.log(`${data.length} of ${meta.total}`);
 * for await (const lead of parley.leads.list()) console.log(lead.id);
 */
export interface List<Item, Page extends ListEnvelope<Item>> extends Promise<Page>, AsyncIterable<Item> {
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
 * @param query - first page; without `limit`, it has the default size of the API, and later pages have 100 records
 */
export function listOf<Item, Page extends ListEnvelope<Item>>(
  query: PageQuery,
  load: (page: PageQuery) => Promise<Page>,
): List<Item, Page> {
  const { limit = largestPage, offset = 0 } = query;
  const first = load({});
  // Not an unhandled rejection: a later loop throws the error.
  first.catch(() => {});

  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let page = await first;
    yield page;
    // An empty page with has_more would repeat forever.
    for (let seen = page.data.length; page.meta.has_more && page.data.length; seen += page.data.length) {
      page = await load({ limit, offset: offset + seen });
      yield page;
    }
  }

  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
