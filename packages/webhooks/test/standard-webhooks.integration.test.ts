import { randomUUID } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { signedHeaders } from "../src/delivery/sign.ts";
import { leadCreated, soon, useDeliveryFixture } from "../src/testing/index.ts";

// Verifies the headers with an independent library.

const { fixture, receiver } = useDeliveryFixture();

/** The key is the UTF-8 bytes of the whole secret; the library takes it in base64. */
function verifier(secret: string): Webhook {
  return new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`);
}

test("a delivery verifies with the library `standardwebhooks`, and only with the secret of its subscription", async () => {
  const { secret } = await fixture.subscribe(receiver.url);
  await fixture.startWorker();
  await fixture.publisher.change(fixture.organizationId, async ({ publish }) => publish(leadCreated(null)));
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  const given = headers as Record<string, string>;

  expect(verifier(secret).verify(body, given)).toEqual(JSON.parse(body));
  expect(() => verifier(`${secret}x`).verify(body, given)).toThrow(WebhookVerificationError);
  expect(() => verifier(secret).verify(`${body} `, given)).toThrow(WebhookVerificationError);
  expect(() => verifier(secret).verify(body, { ...given, "webhook-id": randomUUID() })).toThrow(
    WebhookVerificationError,
  );
});

test.each([
  ["now", 0, true],
  ["4 minutes ago", -240, true],
  ["6 minutes ago", -360, false],
  ["in 6 minutes", 360, false],
])("what was signed %s is as fresh as the library thinks", (_when, seconds, fresh) => {
  const secret = "parley_ws_any";
  const delivery = { deliveryId: randomUUID(), eventType: "lead.created", body: '{"words":"Zoë 🦊"}' };
  const headers = signedHeaders(delivery, secret, Date.now() + seconds * 1_000);
  function isTaken(): boolean {
    try {
      verifier(secret).verify(delivery.body, headers);
      return true;
    } catch {
      return false;
    }
  }
  expect(isTaken()).toBe(fresh);
});
