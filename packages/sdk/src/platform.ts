import type { Call } from "./call.ts";
import type { Input, PathWith } from "./calls.ts";
import type { paths } from "./generated/schema.ts";
import { environment } from "./http/environment.ts";
import type { Fetch } from "./http/exchange.ts";
import type { CallOptions, ConnectionOptions } from "./http/options.ts";
import { Session } from "./session.ts";
import type {
  BatchItem,
  BatchResponse,
  ConsoleLinkCreate,
  ConsoleLinkResponse,
  DeletedRecordResponse,
  ErasureCreate,
  ErasureResponse,
  SuccessOf,
} from "./types.ts";

/** Options of {@link ParleyPlatform}. */
export interface ParleyPlatformOptions extends ConnectionOptions {
  /**
   * Platform key. Use it only on your server, because it gives access to every organization. Default: the environment
   * variable `PARLEY_PLATFORM_KEY`.
   */
  readonly platformKey?: string | undefined;
}

/**
 * Client of the Platform API, with which your chatbot runtime writes records to Parley. Integrations use {@link Parley}.
 *
 * @example
 * const platform = new ParleyPlatform({ baseUrl: "https://parley.example.com", platformKey: "…" });
 *
 * @example
 * const fromEnvironment = new ParleyPlatform(); // with PARLEY_URL and PARLEY_PLATFORM_KEY
 */
export class ParleyPlatform {
  /** Root URL of the Parley server, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Sends a request with platform key, timeout and retries, like the methods of this client; see {@link rawClient}. The
   * key is only sent to `/api/platform/v1/` of `baseUrl`.
   */
  readonly fetch: Fetch;
  readonly #session: Session;

  /**
   * Creates a client. It sends no request.
   *
   * @throws TypeError if an option is missing or invalid
   */
  constructor(options: ParleyPlatformOptions = {}) {
    const { platformKey = environment("PARLEY_PLATFORM_KEY") } = options;
    if (!platformKey) throw new TypeError("platformKey (or PARLEY_PLATFORM_KEY) is required.");
    const tokens = { current: async () => platformKey, replace: async () => undefined };
    this.#session = new Session(options, "/api/platform/v1/", { tokens, idempotent: true });
    this.baseUrl = this.#session.baseUrl;
    this.fetch = this.#session.fetch;
  }

  /**
   * Returns a client for the records of an organization. It sends no request.
   *
   * @param id - ID of the organization
   *
   * @example
   * const organization = platform.organization(organizationId);
   */
  organization(id: string): PlatformOrganization {
    return new PlatformOrganization(this.#session, id);
  }
}

type PathOf<Kind extends string> = `/api/platform/v1/organizations/{organization_id}/${Kind}/{external_id}` &
  PathWith<"put">;

/** Kind of record that the Platform API writes, for example `leads`, `conversations` or `messages`. */
export type PlatformKind =
  PathWith<"put"> extends infer Path ? (Path extends PathOf<infer Kind> ? Kind : never) : never;

type DeletePathOf<Kind extends string> =
  `/api/platform/v1/organizations/{organization_id}/${Kind}/{external_id}` & PathWith<"delete">;

/** Kind of record that the Platform API deletes, for example `leads`. */
export type DeletablePlatformKind =
  PathWith<"delete"> extends infer Path ? (Path extends DeletePathOf<infer Kind> ? Kind : never) : never;

/** Fields of a record of this kind, for example `PlatformRecord<"leads">`. */
export type PlatformRecord<Kind extends PlatformKind> = Input<paths[PathOf<Kind>]["put"]>["body"];

/**
 * Writes and deletes the records of an organization, which are identified by external IDs, and opens its console. Changes are published as
 * events to webhook subscriptions.
 */
export class PlatformOrganization {
  readonly #session: Session;
  readonly #id: string;

  /** @internal */
  constructor(session: Session, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /**
   * Creates or updates a record. Fields that you leave out keep their values. `meta.result` is `created`, `updated` or
   * `unchanged`. If you write the same state again, nothing changes and no event is published.
   *
   * @param kind - kind of record, for example `leads`
   * @param externalId - ID of the record in your platform
   * @throws TypeError if the organization ID or `externalId` is empty, `.` or `..`
   *
   * @example
   * await organization.upsert("leads", "crm-4711", { chatbot_external_id: "sales-bot", score: 82 });
   */
  upsert<Kind extends PlatformKind>(
    kind: Kind,
    externalId: string,
    record: PlatformRecord<Kind>,
    options?: CallOptions,
  ): Promise<SuccessOf<paths[PathOf<Kind>]["put"]>> {
    const path = `/api/platform/v1/organizations/{organization_id}/${kind}/{external_id}` as PathOf<Kind>;
    const input = { path: { organization_id: this.#id, external_id: externalId }, body: record };
    // The compiler cannot check the input when the kind is a type parameter.
    return this.#session.call("put", path, input as never, options);
  }

  /**
   * Deletes a record. A conversation is deleted with its messages. Other records are kept, without a reference to it. Publishes no event.
   *
   * @param kind - kind of record: `leads`, `conversations`, `tickets` or `meetings`
   * @param externalId - ID of the record in your platform
   * @throws {@link NotFoundError} if the organization has no such record. After a retry, an earlier attempt may have deleted it
   * @throws TypeError if the organization ID or `externalId` is empty, `.` or `..`
   *
   * @example
   * await organization.delete("leads", "crm-4711");
   */
  delete(
    kind: DeletablePlatformKind,
    externalId: string,
    options?: CallOptions,
  ): Call<DeletedRecordResponse> {
    const path = `/api/platform/v1/organizations/{organization_id}/${kind}/{external_id}` as const;
    const input = { path: { organization_id: this.#id, external_id: externalId } };
    return this.#session.call("delete", path, input, options);
  }

  /**
   * Writes 1 to 500 records of any kind in the order of the items, 1 MiB together. An item that fails changes nothing
   * and does not affect the others; `data` has the result of each item with its `index`.
   *
   * @throws TypeError if the organization ID is empty, `.` or `..`
   *
   * @example
   * const { data: results } = await organization.batch([
   *   { type: "lead", external_id: "crm-4711", attributes: { chatbot_external_id: "sales-bot", score: 82 } },
   * ]);
   */
  batch(items: BatchItem[], options?: CallOptions): Call<BatchResponse> {
    const input = { path: { organization_id: this.#id }, body: { items } };
    return this.#session.call(
      "post",
      "/api/platform/v1/organizations/{organization_id}/batch",
      input,
      options,
    );
  }
  /**
   * Requests the erasure of a person's data: by email, or by the external ID of a lead. If an erasure of the same person is not
   * completed, returns that one.
   *
   * @param subject - `email` or `external_id`
   * @throws {@link InvalidRequestError} if `subject` has both or neither
   * @throws TypeError if the organization ID is empty, `.` or `..`
   *
   * @example
   * const { data: erasure } = await organization.erase({ email: "ada@example.com" });
   * console.log(erasure.id, erasure.status);
   */
  erase(subject: ErasureCreate, options?: CallOptions): Call<ErasureResponse> {
    const input = { path: { organization_id: this.#id }, body: subject };
    const path = "/api/platform/v1/organizations/{organization_id}/erasures";
    return this.#session.call("post", path, input, options);
  }

  /**
   * Retrieves an erasure by ID, with the numbers of removed records and entries.
   *
   * @throws {@link NotFoundError} if the organization has no such erasure
   * @throws TypeError if the organization ID or `erasureId` is empty, `.` or `..`
   *
   * @example
   * const { data: erasure } = await organization.erasure(erasureId);
   * if (erasure.status === "completed") console.log(erasure.report);
   */
  erasure(erasureId: string, options?: CallOptions): Call<ErasureResponse> {
    const input = { path: { organization_id: this.#id, erasure_id: erasureId } };
    const path = "/api/platform/v1/organizations/{organization_id}/erasures/{erasure_id}";
    return this.#session.call("get", path, input, options);
  }

  /**
   * Creates a link that opens the console for a person who is signed in to your platform. The link works once. Redirect the
   * browser to it immediately. A retry creates another link. A link that you did not receive expires.
   *
   * @throws TypeError if the organization ID is empty, `.` or `..`
   *
   * @example
   * const { data: link } = await organization.createConsoleLink({ role: "member", name: "Ada Novak" });
   * console.log(link.url);
   */
  createConsoleLink(body: ConsoleLinkCreate, options?: CallOptions): Call<ConsoleLinkResponse> {
    const input = { path: { organization_id: this.#id }, body };
    return this.#session.call(
      "post",
      "/api/platform/v1/organizations/{organization_id}/console-links",
      input,
      options,
    );
  }
}
