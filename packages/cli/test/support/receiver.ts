import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookEvent } from "@parley/sdk/webhooks";
import { receiveWebhooks } from "@parley/sdk/webhooks/node";
import { onTestFinished } from "vitest";

/** Receiver that verifies deliveries with a secret. */
export interface TestReceiver {
  readonly url: string;
  readonly received: WebhookEvent[];
  /** Number of deliveries that get a 503, from now on. */
  failures: number;
}

export async function startReceiver(secret: string): Promise<TestReceiver> {
  const received: WebhookEvent[] = [];
  const handle = receiveWebhooks({
    secret,
    on: {},
    onOther: (event) => received.push(event),
    onError: () => {},
  });
  const server = createServer((request, response) => {
    if (receiver.failures-- > 0) response.writeHead(503).end("Down for maintenance\n");
    else handle(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const receiver: TestReceiver = { url, received, failures: 0 };
  return receiver;
}
