import type { Input, ListPath, PathWith, Verb } from "./calls.ts";
import type { paths } from "./generated/schema.ts";
import { normalBaseUrl } from "./http/base-url.ts";
import type { Clock } from "./http/clock.ts";
import type { Fetch } from "./http/exchange.ts";
import { idempotencyHeader } from "./http/idempotency.ts";
import { memberOf } from "./http/member-of.ts";
import { type CallOptions, type ConnectionOptions, type PostOptions, transportOf } from "./http/options.ts";
import { send } from "./http/send.ts";
import { createFetch, type TokenSource, type Transport } from "./http/transport.ts";
import { type List, listOf } from "./list.ts";
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

/** Path of the API that a session calls. Its token is sent to no other address, not even to the OAuth endpoints. */
type ApiPath = "/api/v1/" | "/api/platform/v1/";

/** What a resource needs to call the service. */
export class Session {
  /** The service's root address. */
  readonly baseUrl: string;
  /** Sends any request as calls are sent. */
  readonly fetch: Fetch;
  readonly #transport: Transport;

  /** @throws TypeError when an option is missing or cannot be used. */
  constructor(
    options: ConnectionOptions & { readonly baseUrl: string },
    apiPath: ApiPath,
    sourceOf: (clock: Clock) => TokenSource,
  ) {
    const transport = transportOf(options);
    this.baseUrl = normalBaseUrl(options.baseUrl);
    const tokens = {
      source: sourceOf(transport.clock),
      scope: this.baseUrl + apiPath,
      repeatable: apiPath === "/api/platform/v1/",
    };
    this.#transport = { ...transport, tokens };
    this.fetch = createFetch(this.#transport);
  }

  /**
   * Calls one operation; resolves to its envelope.
   *
   * @throws TypeError at once when an id of the path is none; everything else as a rejection, see {@link send}.
   */
  call<Method extends Verb, Path extends PathWith<Method>>(
    method: Method,
    path: Path,
    input: Input<paths[Path][Method]>,
    options: PostOptions = {},
    isExpected: (data: unknown) => boolean = (data) => data !== undefined,
  ): Promise<SuccessOf<paths[Path][Method]>> {
    const { path: ids = {}, query = {}, body } = input as LooseInput;
    const url = new URL(this.baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(ids[name])));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const transport = this.#transport;
    const {
      signal,
      idempotencyKey,
      timeoutMs = transport.timeoutMs,
      maxRetries = transport.maxRetries,
    } = options;
    const headers = idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey };
    return send(
      { method: method.toUpperCase(), url: url.href, body, headers, signal },
      { ...transport, timeoutMs, maxRetries },
      (answer) => isExpected(memberOf(answer, "data")),
    );
  }

  /** Calls the operation of a list, for its first page; the others follow as they are asked for. */
  list<Path extends ListPath>(
    path: Path,
    input: Input<paths[Path]["get"]>,
    options?: CallOptions,
  ): List<ItemOf<Path>, PageOf<Path>> {
    const { query = {} } = input as LooseInput;
    return listOf(query, (page) =>
      this.call("get", path, { ...input, query: { ...query, ...page } }, options, Array.isArray),
    );
  }
}

/** An id, escaped. An empty one or a dot would still lead to another path than the record's. */
function segmentOf(id: unknown): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`Not an id: "${String(id)}"`);
  return encodeURIComponent(id);
}
