import { events } from "@parley/contract/events";
import { verifyWebhook } from "@parley/sdk/webhooks";
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

function isAccepted(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}
