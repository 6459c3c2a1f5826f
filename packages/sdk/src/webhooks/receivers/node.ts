/**
 * `@parley/sdk/webhooks/node`: receives webhook deliveries in a `node:http` server.
 *
 * @packageDocumentation
 */

import { type NodeRequest, type NodeResponse, nodeHandler } from "./node-handler.ts";
import type { ReceiverOptions } from "./receive.ts";

export * from "./common.ts";
export type { NodeRequest, NodeResponse };

/**
 * Returns a request listener for `createServer`. It responds with 204 when the event was handled, 400 when the delivery was
 * rejected and 500 when your handler threw; see {@link ReceiverOptions} for the other statuses.
 *
 * @example
 * createServer(
 *   receiveWebhooks({
 *     secret: process.env.PARLEY_WEBHOOK_SECRET ?? "",
 *     on: { "lead.created": ({ data }) => console.log(data.attributes.contact.email) },
 *   }),
 * ).listen(3000);
 */
export function receiveWebhooks(
  options: ReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => void {
  return nodeHandler(options, "Pass the request to the receiver before its body is read.");
}
