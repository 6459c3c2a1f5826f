import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./generated/schema.ts";
import type { Fetch } from "./http/exchange.ts";

/** Client of openapi-fetch, typed with the paths of the API: `GET`, `POST`, `PUT`, `PATCH` and `DELETE`. */
export type RawClient = Client<paths, "application/json">;

/**
 * Returns an openapi-fetch client for a {@link Parley} or {@link ParleyPlatform}, with the same tokens, idempotency
 * keys, timeouts and retries. Its calls return `{ data, error, response }`. Bundlers include openapi-fetch only if you
 * use this function.
 *
 * Calls throw a {@link ConnectionError} if no response arrives, and an {@link UnexpectedResponseError} if a 2xx response
 * is not JSON.
 *
 * @example
 * const { data, error } = await rawClient(parley).GET("/api/v1/leads/{id}", { params: { path: { id: leadId } } });
 */
export function rawClient(client: { readonly baseUrl: string; readonly fetch: Fetch }): RawClient {
  return createClient<paths, "application/json">({
    baseUrl: client.baseUrl,
    fetch: client.fetch,
    redirect: "manual",
    headers: { accept: "application/json" },
  });
}
