import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as Webhooks from "./index.ts";

const timestamp = 1772359200;
const now = () => timestamp * 1000;
const runs = { numRuns: 60 };

const payloads = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.uint8Array({ maxLength: 300 }),
  fc.json(),
  fc.record({ type: fc.string(), data: fc.jsonValue() }).map((event) => JSON.stringify(event)),
);
const secrets = fc.string({ minLength: 1 }).filter((secret) => secret.trim() !== "");
const anyHeaders = fc.oneof(
  fc.anything(),
  fc.dictionary(
    fc.constantFrom("x-parley-signature", "X-Parley-Timestamp", "x-parley-timestamp", "host", "__proto__"),
    fc.oneof(
      fc.string(),
      fc.array(fc.string()),
      fc.constant(`sha256=${"0".repeat(64)}`),
      fc.constant(`${timestamp}`),
    ),
  ),
);

describe.each(["node:crypto", "WebCrypto"])("with %s", (implementation) => {
  let webhooks: typeof Webhooks;

  beforeEach(async () => {
    if (implementation === "WebCrypto")
      vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.resetModules();
    webhooks = await import("./index.ts");
  });

  afterEach(() => vi.restoreAllMocks());

  /** Returns the event or the code of the verification error. Any other error fails the test. */
  const outcomeOf = (options: unknown) =>
    webhooks.verifyWebhook(options as Webhooks.VerifyWebhookOptions).catch((error: unknown) => {
      if (error instanceof webhooks.WebhookVerificationError) return error.code;
      throw error;
    });

  test("signs like node:crypto", async () => {
    const property = fc.asyncProperty(payloads, secrets, async (payload, secret) => {
      const digest = createHmac("sha256", secret).update(`${timestamp}.`).update(payload).digest("hex");
      const { "x-parley-signature": signature } = await webhooks.signWebhook({ payload, secret, timestamp });
      expect(signature).toBe(`sha256=${digest}`);
    });
    await fc.assert(property, runs);
  });

  test("accepts a signed event, and rejects it with another secret", async () => {
    const property = fc.asyncProperty(payloads, secrets, secrets, async (payload, secret, other) => {
      const headers = await webhooks.signWebhook({ payload, secret, timestamp });
      const outcome = await outcomeOf({ payload, headers, secret: [other, secret], now });
      expect(outcome === "malformed_payload" || typeof outcome === "object").toBe(true);
      fc.pre(other !== secret);
      const rejection = await outcomeOf({ payload, headers, secret: other, now });
      expect(rejection).toMatch(/^(signature_mismatch|malformed_secret)$/);
    });
    await fc.assert(property, runs);
  });

  test("rejects another byte, digit or second", async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      secrets,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (payload, secret, place, flip) => {
        const headers = await webhooks.signWebhook({ payload, secret, timestamp });
        const changed = payload.map((byte, at) => (at === place % payload.length ? byte ^ flip : byte));
        expect(typeof (await outcomeOf({ payload: changed, headers, secret, now }))).toBe("string");
        const digits = headers["x-parley-signature"].split("");
        const digit = 7 + (place % 64);
        digits[digit] = ((Number.parseInt(digits[digit] ?? "", 16) + 1 + (flip % 15)) % 16).toString(16);
        const forged = { ...headers, "x-parley-signature": digits.join("") };
        expect(typeof (await outcomeOf({ payload, headers: forged, secret, now }))).toBe("string");
        const later = { ...headers, "x-parley-timestamp": `${timestamp + (flip % 300) + 1}` };
        expect(typeof (await outcomeOf({ payload, headers: later, secret, now }))).toBe("string");
      },
    );
    await fc.assert(property, runs);
  });

  test("rejects any other input with a verification error", async () => {
    const property = fc.asyncProperty(
      fc.oneof(payloads, fc.anything()),
      anyHeaders,
      fc.oneof(secrets, fc.anything()),
      fc.anything(),
      async (payload, headers, secret, clock) => {
        expect(typeof (await outcomeOf({ payload, headers, secret, now }))).toBe("string");
        expect(typeof (await outcomeOf({ payload, headers, secret, now: clock, tolerance: clock }))).toBe(
          "string",
        );
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
