import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  Delivery,
  Envelope,
  EventType,
  Query,
  RequestBody,
  Subscription,
  SubscriptionCreate,
  SubscriptionUpdate,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** The webhook subscriptions of the organization, and what was delivered to them. Scope `webhooks:manage`. */
export class Webhooks extends Resource {
  /** Subscribes a URL to events (specification §4.5). The answer holds the signing secret: store it, it is not shown again. */
  subscribe(body: SubscriptionCreate, options?: PostOptions): Promise<Envelope<"createSubscription">> {
    return this.session.call("post", "/api/v1/webhooks/subscribe", { body }, options);
  }

  /** Lists all of them, or those of one `target_url`, on one page (specification §4.6). */
  list(
    query?: Query<"listSubscriptions">,
    options?: CallOptions,
  ): List<Subscription, Envelope<"listSubscriptions">> {
    return this.session.list("/api/v1/webhooks", { query }, options);
  }

  /** Reads one (specification §4.7). */
  get(id: string, options?: CallOptions): Promise<Envelope<"getSubscription">> {
    return this.session.call("get", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /** Changes what the body names. */
  update(
    id: string,
    body: SubscriptionUpdate,
    options?: CallOptions,
  ): Promise<Envelope<"updateSubscription">> {
    return this.session.call("patch", "/api/v1/webhooks/{id}", { path: { id }, body }, options);
  }

  /**
   * Deletes one (specification §4.8). It is retried: a {@link NotFoundError} may then mean that an attempt before,
   * whose answer was lost, has deleted it.
   */
  delete(id: string, options?: CallOptions): Promise<Envelope<"deleteSubscription">> {
    return this.session.call("delete", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /** Makes a failed one active again; with `fill_gap`, what happened meanwhile is delivered, too. */
  resume(
    id: string,
    body?: RequestBody<"resumeSubscription">,
    options?: PostOptions,
  ): Promise<Envelope<"resumeSubscription">> {
    return this.session.call("post", "/api/v1/webhooks/{id}/resume", { path: { id }, body }, options);
  }

  /** Sends a sample event to its URL now; the answer says what came of it. */
  test(
    id: string,
    body?: RequestBody<"testSubscription">,
    options?: PostOptions,
  ): Promise<Envelope<"testSubscription">> {
    return this.session.call("post", "/api/v1/webhooks/{id}/test", { path: { id }, body }, options);
  }

  /** Makes a new signing secret, which signs after 24 hours, or `immediately`. Store it, it is not shown again. */
  rotateSecret(
    id: string,
    body?: RequestBody<"rotateSecret">,
    options?: PostOptions,
  ): Promise<Envelope<"rotateSecret">> {
    return this.session.call("post", "/api/v1/webhooks/{id}/rotate-secret", { path: { id }, body }, options);
  }

  /** Lists what was sent to one and what is still due, the latest first. */
  deliveries(
    id: string,
    query?: Query<"listDeliveries">,
    options?: CallOptions,
  ): List<Delivery, Envelope<"listDeliveries">> {
    return this.session.list("/api/v1/webhooks/{id}/deliveries", { path: { id }, query }, options);
  }

  /** Reads one delivery with all its attempts. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<Envelope<"getDelivery">> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call("get", "/api/v1/webhooks/{id}/deliveries/{delivery_id}", { path }, options);
  }

  /** Delivers the event of a finished delivery once more. */
  redeliver(id: string, deliveryId: string, options?: PostOptions): Promise<Envelope<"redeliver">> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call(
      "post",
      "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
      { path },
      options,
    );
  }

  /** Delivers the events of a range of time once more, in their order: of the given-up deliveries, unless `status` says otherwise. */
  redeliverRange(
    id: string,
    body: RequestBody<"redeliverRange">,
    options?: PostOptions,
  ): Promise<Envelope<"redeliverRange">> {
    return this.session.call("post", "/api/v1/webhooks/{id}/redeliver", { path: { id }, body }, options);
  }

  /** Sample events of a type, in the very form of deliveries. */
  samples(type: EventType, options?: CallOptions): Promise<Envelope<"listEventSamples">> {
    return this.session.call("get", "/api/v1/events/samples", { query: { type } }, options);
  }
}
