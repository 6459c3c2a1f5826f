/** The envelope of a list (specification §2.1), as far as turning pages needs it. */
export interface ListEnvelope<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly api_version: string; readonly has_more?: boolean };
}

/** Which page to load; what is not said is as in the query, or the service's default. */
export interface PageQuery {
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * A list that was asked for. `await` it for one page: the envelope with `data` and `meta`. Or loop over it with
 * `for await` for every record from there on, page after page.
 *
 * Pages are counted by offset, newest change first (messages: oldest first): a record that changes meanwhile may come
 * twice, or be missed.
 */
export interface List<Item, Page extends ListEnvelope<Item>> extends Promise<Page>, AsyncIterable<Item> {
  /** Every page from here on: the envelopes. */
  pages(): AsyncGenerator<Page, void, undefined>;
}

/** The largest page (specification §8): the fewest requests for who wants every record. */
const largestPage = 100;

/**
 * Loads the first page, and makes it a list.
 *
 * @param query - where to start; without a `limit`, the first page has the service's default, the others the most
 */
export function listOf<Item, Page extends ListEnvelope<Item>>(
  query: PageQuery,
  load: (page: PageQuery) => Promise<Page>,
): List<Item, Page> {
  const { limit = largestPage, offset = 0 } = query;
  const first = load({});
  // Whoever loops over it later hears of its failure then.
  first.catch(() => {});

  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let page = await first;
    yield page;
    // An empty page that claims that more follow would be asked for for ever.
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
