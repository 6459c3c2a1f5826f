import type { Input, ListPath, PathWith, Verb } from "./calls.ts";
import { createRawClient, type RawClient, unwrap } from "./http/client.ts";
import { idempotencyHeader } from "./http/idempotency.ts";
import type { CallOptions, PostOptions } from "./http/options.ts";
import { createFetch, type Transport } from "./http/transport.ts";
import { type List, listOf } from "./list.ts";
import type { paths } from "./schema.ts";
import type { SuccessOf } from "./types.ts";

/** A page of a list, and what it is a list of. */
type PageOf<Path extends ListPath> = SuccessOf<paths[Path]["get"]>;
type ItemOf<Path extends ListPath> = PageOf<Path>["data"][number];

/** An {@link Input} whatever the operation. */
interface LooseInput {
  readonly path?: Record<string, string>;
  readonly query?: object;
  readonly body?: unknown;
}

/** What a resource needs to call the service. */
export class Session {
  /** The raw typed client. */
  readonly client: RawClient;
  readonly #transport: Transport;

  constructor(baseUrl: string, transport: Transport) {
    this.#transport = transport;
    this.client = createRawClient(baseUrl, createFetch(transport));
  }

  /**
   * Calls one operation; resolves to its data.
   *
   * @throws TypeError at once when an id of the path is none; everything else as a rejection, see {@link unwrap}.
   */
  call<Method extends Verb, Path extends PathWith<Method>>(
    method: Method,
    path: Path,
    input: Input<paths[Path][Method]>,
    options: PostOptions = {},
  ): Promise<SuccessOf<paths[Path][Method]>> {
    const { path: ids = {}, query, body } = input as LooseInput;
    for (const id of Object.values(ids)) checkId(id);
    const transport = this.#transport;
    const {
      signal,
      idempotencyKey,
      timeoutMs = transport.timeoutMs,
      maxRetries = transport.maxRetries,
    } = options;
    const init = {
      params: { path: ids, query },
      body,
      signal,
      headers: { [idempotencyHeader]: idempotencyKey },
      fetch: createFetch({ ...transport, timeoutMs, maxRetries }),
    };
    // The types of openapi-fetch say the same of each path, but not of a path that is a variable.
    const call = this.client.request(method, path as never, init as never);
    return unwrap(call as never, transport.clock);
  }

  /** Calls the operation of a list, for its first page; the others follow as they are asked for. */
  list<Path extends ListPath>(
    path: Path,
    input: Input<paths[Path]["get"]>,
    options?: CallOptions,
  ): List<ItemOf<Path>, PageOf<Path>> {
    const { query = {} } = input as LooseInput;
    return listOf(query, (page) =>
      this.call("get", path, { ...input, query: { ...query, ...page } }, options),
    );
  }
}

/** Escaped, an empty id or a dot would still lead to another path than the record's. */
function checkId(id: string): void {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`Not an id: "${id}"`);
}
