import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./generated/schema.ts";
import type { Fetch } from "./http/exchange.ts";

/** The raw typed client: `GET`, `POST`, `PUT`, `PATCH` and `DELETE` on the paths of the contract; returns errors as values. */
export type RawClient = Client<paths, "application/json">;

/**
 * The raw typed client of a {@link Parley} or a {@link ParleyPlatform}: same tokens, keys, time-outs and retries, but
 * returns `{ data, error, response }`. It is openapi-fetch's, and only bundled where it is used.
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
