import type { Input, PathWith } from "./calls.ts";
import type { paths } from "./generated/schema.ts";
import type { Fetch } from "./http/exchange.ts";
import type { CallOptions, ConnectionOptions } from "./http/options.ts";
import { Session } from "./session.ts";
import type { BatchItem, BatchResponse, SuccessOf } from "./types.ts";

/** What {@link ParleyPlatform} takes. */
export interface ParleyPlatformOptions extends ConnectionOptions {
  /** The service's root address, for example `https://parley.example.com`. */
  readonly baseUrl: string;
  /** A key whose hash stands in the server's `PLATFORM_KEY_HASHES`. It opens every organization: it belongs on a server alone. */
  readonly platformKey: string;
}

/**
 * The door of the chatbot platform itself, through which it brings what happens in its chats. Integrations use
 * {@link Parley}.
 *
 * @example
 * const platform = new ParleyPlatform({ baseUrl: "https://parley.example.com", platformKey: "…" });
 */
export class ParleyPlatform {
  /** The service's root address. */
  readonly baseUrl: string;
  /** Sends a request as every call is sent: with the platform key, time-outs and retries; {@link rawClient} builds on it. */
  readonly fetch: Fetch;
  readonly #session: Session;

  /** @throws TypeError when an option is missing or cannot be used. */
  constructor(options: ParleyPlatformOptions) {
    const { platformKey } = options;
    if (!platformKey) throw new TypeError("No platform key was passed");
    const source = { current: async () => platformKey, replace: async () => undefined };
    this.#session = new Session(options, "/api/platform/v1/", () => source);
    this.baseUrl = this.#session.baseUrl;
    this.fetch = this.#session.fetch;
  }

  /**
   * One organization, by its id.
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

/** The kinds of records that the platform brings: `leads`, `conversations`, `messages` … */
export type PlatformKind =
  PathWith<"put"> extends infer Path ? (Path extends PathOf<infer Kind> ? Kind : never) : never;

/** What the platform says of a record of a kind. */
export type PlatformRecord<Kind extends PlatformKind> = Input<paths[PathOf<Kind>]["put"]>["body"];

/** The records of one organization, by the ids that the platform has for them. The events go to those who subscribed. */
export class PlatformOrganization {
  readonly #session: Session;
  readonly #id: string;

  /** @internal */
  constructor(session: Session, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /**
   * Creates a record, or changes what is different. The same again changes nothing; `meta.result` says what became of it.
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
    // What holds for each kind, the compiler does not see for a kind that is a variable.
    return this.#session.call("put", path, input as never, options);
  }

  /**
   * Writes up to 500 records of any kind, one after the other; the answer says of each what became of it.
   *
   * @example
   * const { data: results } = await organization.batch([
   *   { type: "lead", external_id: "crm-4711", attributes: { chatbot_external_id: "sales-bot", score: 82 } },
   * ]);
   */
  batch(items: BatchItem[], options?: CallOptions): Promise<BatchResponse> {
    const input = { path: { organization_id: this.#id }, body: { items } };
    return this.#session.call(
      "post",
      "/api/platform/v1/organizations/{organization_id}/batch",
      input,
      options,
    );
  }
}
