/**
 * `@parley/sdk/webhooks/node`: receives deliveries in a server of `node:http`.
 *
 * @packageDocumentation
 */
import { type NodeRequest, type NodeResponse, nodeHandler } from "./node-handler.ts";
import type { ReceiverOptions } from "./receive.ts";

export * from "./common.ts";
export type { NodeRequest, NodeResponse };

/**
 * A handler of requests. It answers 204 when the event was handled, 400 when the delivery was refused, 500 when your
 * handler threw.
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
  return nodeHandler(options, "Pass the request before its body is read.");
}
