import { events } from "@parley/contract/events";
import { verifyWebhook } from "@parley/sdk/webhooks";
import { verifyWebhookWithPublicKey } from "@parley/sdk/webhooks/public-key";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { testVectors } from "../src/site/test-vectors.ts";

const vectors = testVectors(events.find(({ type }) => type === "lead.created")?.sample ?? {});

test.each(vectors)("the SDK and Standard Webhooks decide as the test vector says: $name", async (vector) => {
  const { secret, now, headers, body: payload, valid } = vector;
  const own = verifyWebhook({ payload, headers, secret, now: () => now * 1000 }).then(
    () => true,
    () => false,
  );
  expect(await own).toBe(valid);
  vi.useFakeTimers({ now: now * 1000 });
  try {
    expect(isAccepted(() => new Webhook(btoa(secret)).verify(payload, headers))).toBe(valid);
  } finally {
    vi.useRealTimers();
  }
});

test.each(vectors)("the SDK with the public key decides as the test vector says: $name", async (vector) => {
  const { public_keys, now, headers, body: payload, valid } = vector;
  const publicKeys = public_keys as { keys: { kty: string }[] };
  const verified = verifyWebhookWithPublicKey({ payload, headers, publicKeys, now: () => now * 1000 });
  expect(
    await verified.then(
      () => true,
      () => false,
    ),
  ).toBe(valid);
});

function isAccepted(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}
