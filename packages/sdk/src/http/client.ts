import createClient, { type Client } from "openapi-fetch";
import { errorFrom } from "../errors/error-from.ts";
import type { paths } from "../schema.ts";
import type { Clock } from "./clock.ts";
import type { Fetch } from "./exchange.ts";

/** The raw typed client: `GET`, `POST`, `PUT`, `PATCH` and `DELETE` on the paths of the contract; returns errors as values. */
export type RawClient = Client<paths, "application/json">;

/** Redirects are not followed: a POST would turn into a GET, and a token would go to an address nobody named. */
export function createRawClient(baseUrl: string, fetch: Fetch): RawClient {
  return createClient<paths, "application/json">({
    baseUrl,
    fetch,
    redirect: "manual",
    headers: { accept: "application/json" },
  });
}

/** What a call of the raw client comes to. */
export interface Outcome<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/**
 * The data of a call.
 *
 * @throws the {@link ParleyError} that its answer stands for; also when a success has no body.
 */
export async function unwrap<Data>(call: Promise<Outcome<Data>>, clock: Clock): Promise<Data> {
  const { data, error, response } = await call;
  if (data === undefined) throw errorFrom(response, error, clock.now());
  return data;
}
