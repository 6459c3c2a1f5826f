import type { CallOptions, PostOptions } from "../http/options.ts";
import type { List } from "../list.ts";
import type {
  CreatedSubscriptionResponse,
  DeletedSubscriptionResponse,
  Delivery,
  DeliveryDetailsResponse,
  DeliveryList,
  DeliveryResponse,
  EventTypeInput,
  Query,
  RedeliverRequest,
  RedeliveryResponse,
  ResumedSubscriptionResponse,
  ResumeRequest,
  RotatedSecretResponse,
  RotateSecretRequest,
  Subscription,
  SubscriptionCreate,
  SubscriptionList,
  SubscriptionResponse,
  SubscriptionUpdate,
  TestRequest,
  WebhookEventList,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** The webhook subscriptions of the organization, and what was delivered to them. Scope `webhooks:manage`. */
export class Webhooks extends Resource {
  /**
   * Subscribes a URL to events (specification §4.5). The answer holds the signing secret: store it, it is not shown again.
   *
   * @example
   * const { data } = await parley.webhooks.subscribe({
   *   target_url: "https://hooks.example.com/parley",
   *   event_types: ["lead.created"],
   * });
   * console.log(data.secret);
   */
  subscribe(body: SubscriptionCreate, options?: PostOptions): Promise<CreatedSubscriptionResponse> {
    return this.session.call("post", "/api/v1/webhooks/subscribe", { body }, options);
  }

  /**
   * Lists all of them, or those of one `target_url`, on one page (specification §4.6).
   *
   * @example
   * const { data: subscriptions } = await parley.webhooks.list();
   */
  list(
    query?: Query<"listWebhookSubscriptions">,
    options?: CallOptions,
  ): List<Subscription, SubscriptionList> {
    return this.session.list("/api/v1/webhooks", { query }, options);
  }

  /**
   * Reads one (specification §4.7).
   *
   * @example
   * const { data } = await parley.webhooks.get(subscriptionId);
   * console.log(data.status, data.failure_reason);
   */
  get(id: string, options?: CallOptions): Promise<SubscriptionResponse> {
    return this.session.call("get", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /**
   * Changes what the body names.
   *
   * @example
   * await parley.webhooks.update(subscriptionId, { event_types: ["lead.created", "lead.qualified"] });
   */
  update(id: string, body: SubscriptionUpdate, options?: CallOptions): Promise<SubscriptionResponse> {
    return this.session.call("patch", "/api/v1/webhooks/{id}", { path: { id }, body }, options);
  }

  /**
   * Deletes one (specification §4.8). It is retried: a {@link NotFoundError} may then mean that an attempt before,
   * whose answer was lost, has deleted it.
   *
   * @example
   * await parley.webhooks.delete(subscriptionId);
   */
  delete(id: string, options?: CallOptions): Promise<DeletedSubscriptionResponse> {
    return this.session.call("delete", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /**
   * Makes a failed one active again; with `fill_gap`, what happened meanwhile is delivered, too.
   *
   * @example
   * const { meta } = await parley.webhooks.resume(subscriptionId, { fill_gap: true });
   * console.log(meta.gap_deliveries);
   */
  resume(id: string, body?: ResumeRequest, options?: PostOptions): Promise<ResumedSubscriptionResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/resume", { path: { id }, body }, options);
  }

  /**
   * Sends a sample event to its URL now; the answer says what came of it.
   *
   * @example
   * const { data } = await parley.webhooks.test(subscriptionId, { event_type: "lead.created" });
   * console.log(data.attributes.last_attempt?.status_code);
   */
  test(id: string, body?: TestRequest, options?: PostOptions): Promise<DeliveryResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/test", { path: { id }, body }, options);
  }

  /**
   * Makes a new signing secret, which signs after 24 hours, or `immediately`. Store it, it is not shown again.
   *
   * @example
   * const { data } = await parley.webhooks.rotateSecret(subscriptionId);
   * console.log(data.secret, data.signs_from);
   */
  rotateSecret(
    id: string,
    body?: RotateSecretRequest,
    options?: PostOptions,
  ): Promise<RotatedSecretResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/rotate-secret", { path: { id }, body }, options);
  }

  /**
   * Lists what was sent to one and what is still due, the latest first.
   *
   * @example
   * for await (const { attributes } of parley.webhooks.deliveries(subscriptionId, { status: "exhausted" })) {
   *   console.log(attributes.event_type, attributes.last_attempt?.error);
   * }
   */
  deliveries(
    id: string,
    query?: Query<"listWebhookDeliveries">,
    options?: CallOptions,
  ): List<Delivery, DeliveryList> {
    return this.session.list("/api/v1/webhooks/{id}/deliveries", { path: { id }, query }, options);
  }

  /**
   * Reads one delivery with all its attempts.
   *
   * @example
   * const { data } = await parley.webhooks.delivery(subscriptionId, deliveryId);
   * for (const attempt of data.attributes.attempts) console.log(attempt.attempted_at, attempt.status_code);
   */
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryDetailsResponse> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call("get", "/api/v1/webhooks/{id}/deliveries/{delivery_id}", { path }, options);
  }

  /**
   * Delivers the event of a finished delivery once more.
   *
   * @example
   * await parley.webhooks.redeliver(subscriptionId, deliveryId);
   */
  redeliver(id: string, deliveryId: string, options?: PostOptions): Promise<DeliveryResponse> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call(
      "post",
      "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
      { path },
      options,
    );
  }

  /**
   * Delivers the events of a range of time once more, in their order: of the given-up deliveries, unless `status` says otherwise.
   *
   * @example
   * await parley.webhooks.redeliverRange(subscriptionId, { since: "2026-03-01T09:00:00Z" });
   */
  redeliverRange(id: string, body: RedeliverRequest, options?: PostOptions): Promise<RedeliveryResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/redeliver", { path: { id }, body }, options);
  }

  /**
   * Sample events of a type, in the very form of deliveries.
   *
   * @example
   * const { data: samples } = await parley.webhooks.samples("lead.created");
   */
  samples(type: EventTypeInput, options?: CallOptions): Promise<WebhookEventList> {
    return this.session.call("get", "/api/v1/events/samples", { query: { type } }, options);
  }
}
