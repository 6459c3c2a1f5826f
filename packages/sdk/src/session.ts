import { type Call, callOf } from "./call.ts";
import type { Input, ListPath, PathWith, Verb } from "./calls.ts";
import type { paths } from "./generated/schema.ts";
import { normalizeBaseUrl } from "./http/base-url.ts";
import type { Fetch } from "./http/exchange.ts";
import { idempotencyHeader } from "./http/idempotency.ts";
import { memberOf } from "./http/member-of.ts";
import { type CallOptions, type ConnectionOptions, type PostOptions, transportOf } from "./http/options.ts";
import { send } from "./http/send.ts";
import { createFetch, type Transport } from "./http/transport.ts";
import { type List, listOf } from "./list.ts";
import type { SuccessOf } from "./types.ts";

/** Page and record of a list. */
type PageOf<Path extends ListPath> = SuccessOf<paths[Path]["get"]>;
type ItemOf<Path extends ListPath> = PageOf<Path>["data"][number];

/** {@link Input} of any operation. */
interface LooseInput {
  readonly path?: Record<string, string>;
  readonly query?: object;
  readonly body?: unknown;
}

/**
 * Path prefix of an API. The token of a session is only sent to URLs with this prefix, so never to the OAuth endpoints.
 */
type ApiPath = "/api/v1/" | "/api/platform/v1/";

/** Connection of a client, shared by its resources. */
export class Session {
  /** Root URL of the server, without a trailing slash. */
  readonly baseUrl: string;
  /** Sends a request with token, idempotency key, timeout and retries. */
  readonly fetch: Fetch;
  readonly #transport: Transport;

  /** @throws TypeError if an option is missing or invalid */
  constructor(options: ConnectionOptions, path: ApiPath, api: Pick<Transport, "tokens" | "idempotent">) {
    this.baseUrl = normalizeBaseUrl(options.baseUrl);
    this.#transport = { ...transportOf(options), ...api, urlPrefix: this.baseUrl + path };
    this.fetch = createFetch(this.#transport);
  }

  /**
   * Calls an operation and returns its envelope.
   *
   * @throws TypeError synchronously, if an ID in the path is invalid. All other errors reject the promise, see {@link send}
   */
  call<Method extends Verb, Path extends PathWith<Method>>(
    method: Method,
    path: Path,
    input: Input<paths[Path][Method]>,
    options: PostOptions = {},
    isExpected: (data: unknown) => boolean = (data) => data !== undefined,
  ): Call<SuccessOf<paths[Path][Method]>> {
    const { path: ids = {}, query = {}, body } = input as LooseInput;
    const url = new URL(this.baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(ids[name])));
    for (const [name, value] of Object.entries(query)) {
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each));
    }
    const transport = this.#transport;
    const {
      signal,
      idempotencyKey,
      timeoutMs = transport.timeoutMs,
      deadlineMs = transport.deadlineMs,
      maxRetries = transport.maxRetries,
    } = options;
    const headers = idempotencyKey === undefined ? {} : { [idempotencyHeader]: idempotencyKey };
    const received = send(
      { method: method.toUpperCase(), url: url.href, body, headers, signal },
      { ...transport, timeoutMs, deadlineMs, maxRetries },
      (content) => isExpected(memberOf(content, "data")),
    );
    return callOf(received);
  }

  /** Calls the operation of a list for its first page. Each next page is requested when it is needed. */
  list<Path extends ListPath>(
    path: Path,
    input: Input<paths[Path]["get"]>,
    options?: CallOptions,
  ): List<ItemOf<Path>, PageOf<Path>> {
    const { query = {} } = input as LooseInput;
    return listOf((query as { limit?: number }).limit, (page) =>
      this.call("get", path, { ...input, query: { ...query, ...page } }, options, Array.isArray),
    );
  }
}

/** Percent-encodes an ID. Rejects "", "." and "..", which would change the path. */
function segmentOf(id: unknown): string {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) {
    throw new TypeError(`An ID must be a string other than "", "." and ".." (received "${String(id)}").`);
  }
  return encodeURIComponent(id);
}
