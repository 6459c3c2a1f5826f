/**
 * `@parley/sdk/webhooks/express`: receives deliveries in an Express app.
 *
 * @packageDocumentation
 */
import { type NodeRequest, type NodeResponse, nodeHandler } from "./node-handler.ts";
import type { ReceiverOptions } from "./receive.ts";

export * from "./common.ts";
export type { NodeRequest, NodeResponse };

/**
 * A handler for `app.post`. Mount it before `express.json()`, or give its route `express.raw({ type: "*\/*" })`: a parsed
 * body has another signature. It answers 204 when the event was handled, 400 when the delivery was refused, 500 when
 * your handler threw.
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
    'Mount the receiver before express.json(), or give its route express.raw({ type: "*/*" }).',
  );
}
