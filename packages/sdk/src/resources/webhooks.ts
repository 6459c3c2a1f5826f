import type { Call } from "../call.ts";
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
  RotatedSigningKeyResponse,
  RotateSecretRequest,
  RotateSigningKeyRequest,
  SourceAddressesResponse,
  Subscription,
  SubscriptionCreate,
  SubscriptionList,
  SubscriptionResponse,
  SubscriptionUpdate,
  TestRequest,
  WebhookEventList,
} from "../types.ts";
import { Resource } from "./resource.ts";

/** Webhook subscriptions of the organization, and their deliveries. Scope: `webhooks:manage`. */
export class Webhooks extends Resource {
  /**
   * Creates a webhook subscription. The response contains the signing secret. Store it, because Parley never returns it
   * again.
   *
   * @throws {@link InvalidRequestError} if the URL or an event type is invalid, or the organization already has 100
   *   subscriptions
   *
   * @example
   * const { data } = await parley.webhooks.subscribe({
   *   target_url: "https://hooks.example.com/parley",
   *   event_types: ["lead.created"],
   * });
   * console.log(data.secret);
   */
  subscribe(body: SubscriptionCreate, options?: PostOptions): Call<CreatedSubscriptionResponse> {
    return this.session.call("post", "/api/v1/webhooks/subscribe", { body }, options);
  }

  /**
   * Lists all webhook subscriptions, newest first, without their secrets. The list is not paginated.
   *
   * @param query - `target_url`: only subscriptions with this URL
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
   * Retrieves a webhook subscription by ID, without its secret.
   *
   * @param id - ID of the subscription
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * const { data } = await parley.webhooks.get(subscriptionId);
   * console.log(data.status, data.failure_reason);
   */
  get(id: string, options?: CallOptions): Call<SubscriptionResponse> {
    return this.session.call("get", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /**
   * Updates the given fields of a subscription. Fields that you leave out keep their values. A `failed` subscription stays
   * `failed` until you {@link resume} it.
   *
   * @param id - ID of the subscription
   * @throws {@link InvalidRequestError} if a field is invalid
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * await parley.webhooks.update(subscriptionId, { event_types: ["lead.created", "lead.qualified"] });
   */
  update(id: string, body: SubscriptionUpdate, options?: CallOptions): Call<SubscriptionResponse> {
    return this.session.call("patch", "/api/v1/webhooks/{id}", { path: { id }, body }, options);
  }

  /**
   * Deletes a subscription with its pending deliveries.
   *
   * @param id - ID of the subscription
   * @throws {@link NotFoundError} if the organization has no such subscription. After a retry, an earlier attempt may
   * have deleted it
   *
   * @example
   * await parley.webhooks.delete(subscriptionId);
   */
  delete(id: string, options?: CallOptions): Call<DeletedSubscriptionResponse> {
    return this.session.call("delete", "/api/v1/webhooks/{id}", { path: { id } }, options);
  }

  /**
   * Makes a `failed` subscription active again, enables a disabled one, and resets `failure_count`. Pending deliveries are
   * sent immediately. With `fill_gap`, Parley also delivers the events that the subscription skipped since `gap_from`.
   *
   * @param id - ID of the subscription
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * const { meta } = await parley.webhooks.resume(subscriptionId, { fill_gap: true });
   * console.log(meta.gap_events);
   */
  resume(id: string, body?: ResumeRequest, options?: PostOptions): Call<ResumedSubscriptionResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/resume", { path: { id }, body }, options);
  }

  /**
   * Immediately sends a sample event to the target URL, and returns the delivery with the result of the attempt. The
   * test changes neither `status` nor `failure_count`.
   *
   * @param id - ID of the subscription
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * const { data } = await parley.webhooks.test(subscriptionId, { event_type: "lead.created" });
   * console.log(data.attributes.last_attempt?.status_code);
   */
  test(id: string, body?: TestRequest, options?: PostOptions): Call<DeliveryResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/test", { path: { id }, body }, options);
  }

  /**
   * Creates a new signing secret. Store it, because Parley never returns it again. For the next 24 hours, deliveries
   * are still signed with the old secret. With `immediately`, deliveries are signed with the new secret immediately.
   *
   * @param id - ID of the subscription
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * const { data } = await parley.webhooks.rotateSecret(subscriptionId);
   * console.log(data.secret, data.signs_from);
   */
  rotateSecret(id: string, body?: RotateSecretRequest, options?: PostOptions): Call<RotatedSecretResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/rotate-secret", { path: { id }, body }, options);
  }

  /**
   * Creates a new key pair for subscriptions with `public_key_signature`. The public key is published immediately, and signs after 24
   * hours. The old key is published for another 24 hours after that. With `immediately`, the new key signs immediately, and all
   * other keys are removed.
   *
   * @throws {@link InvalidRequestError} if no subscription of the organization ever had `public_key_signature`
   *
   * @example
   * const { data } = await parley.webhooks.rotateSigningKey();
   * console.log(data.signs_from, data.public_keys_url);
   */
  rotateSigningKey(body?: RotateSigningKeyRequest, options?: PostOptions): Call<RotatedSigningKeyResponse> {
    return this.session.call("post", "/api/v1/webhooks/signing-keys/rotate", { body }, options);
  }

  /**
   * Retrieves the addresses from which the server sends deliveries, for the allow list of a firewall. The list is empty if the
   * operator of the server published none.
   *
   * @example
   * const { data } = await parley.webhooks.sourceAddresses();
   * console.log(data.addresses);
   */
  sourceAddresses(options?: CallOptions): Call<SourceAddressesResponse> {
    return this.session.call("get", "/api/v1/webhooks/source-addresses", {}, options);
  }

  /**
   * Lists the deliveries of a subscription, newest first: finished ones by their last attempt, pending ones by their
   * creation.
   *
   * @param id - ID of the subscription
   * @param query - `limit` (1 to 100, default 20), `offset` (default 0) and filters
   * @throws {@link NotFoundError} if the organization has no such subscription
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
   * Retrieves a delivery by ID, with all its attempts and the body that was sent.
   *
   * @param id - ID of the subscription
   * @param deliveryId - ID of the delivery
   * @throws {@link NotFoundError} if there is no such subscription or delivery
   *
   * @example
   * const { data } = await parley.webhooks.delivery(subscriptionId, deliveryId);
   * for (const attempt of data.attributes.attempts) console.log(attempt.attempted_at, attempt.status_code);
   */
  delivery(id: string, deliveryId: string, options?: CallOptions): Call<DeliveryDetailsResponse> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call("get", "/api/v1/webhooks/{id}/deliveries/{delivery_id}", { path }, options);
  }

  /**
   * Delivers the event of a finished delivery again, as a new delivery with a new ID. If the delivery is still pending,
   * it is sent immediately and keeps its ID.
   *
   * @param id - ID of the subscription
   * @param deliveryId - ID of the delivery
   * @throws {@link NotFoundError} if there is no such subscription or delivery
   *
   * @example
   * await parley.webhooks.redeliver(subscriptionId, deliveryId);
   */
  redeliver(id: string, deliveryId: string, options?: PostOptions): Call<DeliveryResponse> {
    const path = { id, delivery_id: deliveryId };
    return this.session.call(
      "post",
      "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
      { path },
      options,
    );
  }

  /**
   * Delivers the events of finished deliveries in a time range again. Each event is delivered once, in the order of the last
   * attempts. Default of `status`: `exhausted`. Default of `until`: now. The deliveries are created after the response;
   * {@link redelivery} shows the progress.
   *
   * @param id - ID of the subscription
   * @throws {@link InvalidRequestError} if a field is invalid, the subscription is failed or disabled, or it has 10 unfinished
   *   redeliveries
   * @throws {@link NotFoundError} if the organization has no such subscription
   *
   * @example
   * const { data } = await parley.webhooks.redeliverRange(subscriptionId, { since: "2026-03-01T09:00:00Z" });
   * console.log(data.id);
   */
  redeliverRange(id: string, body: RedeliverRequest, options?: PostOptions): Call<RedeliveryResponse> {
    return this.session.call("post", "/api/v1/webhooks/{id}/redeliver", { path: { id }, body }, options);
  }

  /**
   * Retrieves a redelivery of a time range, with its progress.
   *
   * @param id - ID of the subscription
   * @param redeliveryId - ID of the redelivery
   * @throws {@link NotFoundError} if there is no such subscription or redelivery
   *
   * @example
   * const { data } = await parley.webhooks.redelivery(subscriptionId, redeliveryId);
   * console.log(data.deliveries, data.finished_at);
   */
  redelivery(id: string, redeliveryId: string, options?: CallOptions): Call<RedeliveryResponse> {
    const path = { id, redelivery_id: redeliveryId };
    return this.session.call("get", "/api/v1/webhooks/{id}/redeliveries/{redelivery_id}", { path }, options);
  }

  /**
   * Lists sample events of a type, in the format of webhook deliveries.
   *
   * @throws {@link InvalidRequestError} if there is no such event type
   *
   * @example
   * const { data: samples } = await parley.webhooks.samples("lead.created");
   */
  samples(type: EventTypeInput, options?: CallOptions): Call<WebhookEventList> {
    return this.session.call("get", "/api/v1/events/samples", { query: { type } }, options);
  }
}
