import type { CallOptions, PostOptions } from "../http/options.ts";
import { type List, listOf } from "../list.ts";
import { pathOf, type Session } from "../session.ts";
import type { Envelope, Subscription, SubscriptionCreate } from "../types.ts";

/** The webhook subscriptions of the organization. Scope `webhooks:manage`. */
export class Webhooks {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Subscribes a URL to events (specification §4.5). The answer holds the signing secret: store it, it is not shown again. */
  subscribe(body: SubscriptionCreate, options: PostOptions = {}): Promise<Envelope<"createSubscription">> {
    const init = { body, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.POST("/api/v1/webhooks/subscribe", init));
  }

  /** Lists all of them, on one page (specification §4.6). */
  list(options: CallOptions = {}): List<Subscription, Envelope<"listSubscriptions">> {
    const init = this.#session.init(options);
    return listOf({}, () => this.#session.result(this.#session.client.GET("/api/v1/webhooks", init)));
  }

  /** Reads one (specification §4.7). */
  get(id: string, options: CallOptions = {}): Promise<Envelope<"getSubscription">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.GET("/api/v1/webhooks/{id}", init));
  }

  /**
   * Deletes one (specification §4.8). It is retried: a {@link NotFoundError} may then mean that an attempt before,
   * whose answer was lost, has deleted it.
   */
  delete(id: string, options: CallOptions = {}): Promise<Envelope<"deleteSubscription">> {
    const init = { params: { path: pathOf(id) }, ...this.#session.init(options) };
    return this.#session.result(this.#session.client.DELETE("/api/v1/webhooks/{id}", init));
  }
}
