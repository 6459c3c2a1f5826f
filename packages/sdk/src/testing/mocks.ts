import { type Call, callOf } from "../call.ts";
import { type List, listOf } from "../list.ts";
import type { PageMeta } from "../types.ts";

/** Headers of a mocked response. */
const headers = { "x-request-id": "mock" };

/**
 * Returns what a method of the client returns, for mocks of single methods.
 *
 * @param envelope - `{ data, meta }`
 *
 * @example
 * parley.leads.get = () => mockCall(responseExample("getLead"));
 */
export function mockCall<Envelope extends object>(envelope: Envelope): Call<Envelope> {
  return callOf(Promise.resolve({ body: envelope, response: Response.json(envelope, { headers }) }));
}

/**
 * Returns what a method of the client returns for a list, for mocks of single methods. It can be awaited and iterated.
 *
 * @param items - all records of the list
 * @param pageSize - records per page; default: all on one page
 *
 * @example
 * const { data: lead } = responseExample("getLead");
 * parley.leads.list = () => mockList([lead, lead, lead], 2);
 */
export function mockList<Item>(
  items: readonly Item[],
  pageSize: number = Math.max(1, items.length),
): List<Item, { data: Item[]; meta: PageMeta }> {
  return listOf(pageSize, (page) => {
    const offset = Number(page?.cursor ?? 0);
    const data = items.slice(offset, offset + pageSize);
    const next = offset + data.length;
    const has_more = next < items.length;
    return mockCall({
      data,
      meta: {
        api_version: "2024-01-01",
        total: items.length,
        limit: pageSize,
        offset,
        has_more,
        count: data.length,
        next_cursor: has_more ? `${next}` : null,
      },
    });
  });
}
