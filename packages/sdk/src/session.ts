import { createRawClient, type Outcome, type RawClient, unwrap } from "./http/client.ts";
import type { Fetch } from "./http/exchange.ts";
import { idempotencyHeader } from "./http/idempotency.ts";
import type { PostOptions } from "./http/options.ts";
import { createFetch, type Transport } from "./http/transport.ts";

/** What a resource needs to call the service. */
export class Session {
  /** The raw typed client. */
  readonly client: RawClient;
  readonly #transport: Transport;

  constructor(baseUrl: string, transport: Transport) {
    this.#transport = transport;
    this.client = createRawClient(baseUrl, createFetch(transport));
  }

  /** What openapi-fetch has to know of a call's options. */
  init({ signal, timeoutMs, maxRetries, idempotencyKey }: PostOptions): {
    signal?: AbortSignal;
    headers?: { [idempotencyHeader]: string };
    fetch?: Fetch;
  } {
    return {
      ...(signal && { signal }),
      ...(idempotencyKey !== undefined && { headers: { [idempotencyHeader]: idempotencyKey } }),
      ...((timeoutMs !== undefined || maxRetries !== undefined) && {
        fetch: createFetch({
          ...this.#transport,
          timeoutMs: timeoutMs ?? this.#transport.timeoutMs,
          maxRetries: maxRetries ?? this.#transport.maxRetries,
        }),
      }),
    };
  }

  /** The data of a call, or its error, thrown. */
  result<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
    return unwrap(call, this.#transport.clock);
  }
}

/**
 * An id as it goes into a path. Escaped, an empty one or a dot would still lead to another path than the record's.
 *
 * @throws TypeError
 */
export function pathOf(id: string): { id: string } {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`Not an id: "${id}"`);
  return { id };
}
