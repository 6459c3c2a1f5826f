/**
 * `@parley/sdk/webhooks/express`: receives webhook deliveries in an Express app.
 *
 * @packageDocumentation
 */

import { type NodeRequest, type NodeResponse, nodeHandler } from "./node-handler.ts";
import type { ReceiverOptions } from "./receive.ts";

export * from "./common.ts";
export type { NodeRequest, NodeResponse };

/**
 * Returns a request handler for `app.post`. Mount it before `express.json()`, because a parsed body cannot be verified.
 * Alternatively, use `express.raw({ type: "*\/*" })` for its route. It responds with 204 when the event was handled,
 * 400 when the delivery was rejected and 500 when your handler threw; see {@link ReceiverOptions} for the other
 * statuses.
 *
 * @example
 * app.post(
 *   "/webhooks/parley",
 *   receiveWebhooks({
 *     secret: process.env.PARLEY_WEBHOOK_SECRET ?? "",
 *     on: { "lead.created": ({ data }) => console.log(data.attributes.contact.email) },
 *   }),
 * );
 * app.use(express.json());
 */
export function receiveWebhooks(
  options: ReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => void {
  return nodeHandler(
    options,
    'Mount the receiver before express.json(), or use express.raw({ type: "*/*" }) for its route.',
  );
}
