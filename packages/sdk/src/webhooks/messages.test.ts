import { createHash, createHmac } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as Webhooks from "./index.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const other = "parley_ws_Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8";
const timestamp = 1772359200;
const payload = '{"type":"lead.created","name":"Grüß dich 👋"}';

const sha256 = (body: string | Uint8Array) => createHash("sha256").update(body).digest("hex");
const hmac = (key: string, body: string | Uint8Array) =>
  createHmac("sha256", key).update(`${timestamp}.`).update(body);

describe.each(["node:crypto", "WebCrypto"])("with %s", (implementation) => {
  let webhooks: typeof Webhooks;

  beforeEach(async () => {
    if (implementation === "WebCrypto")
      vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.resetModules();
    webhooks = await import("./index.ts");
  });

  afterEach(() => vi.restoreAllMocks());

  /** Verifies a delivery whose headers were made for `signed`. Returns the error. */
  async function errorOf(
    change: Partial<Webhooks.VerifyWebhookOptions>,
    signed: string | Uint8Array = payload,
  ): Promise<Webhooks.WebhookVerificationError> {
    const headers = {
      "x-parley-signature": `sha256=${hmac(secret, signed).digest("hex")}`,
      "x-parley-timestamp": `${timestamp}`,
    };
    const now = () => timestamp * 1000;
    const options = { payload: signed, headers, secret, now, ...change };
    const error = await webhooks.verifyWebhook(options).catch((reason: unknown) => reason);
    if (error instanceof webhooks.WebhookVerificationError) return error;
    throw new Error("Expected a WebhookVerificationError", { cause: error });
  }

  /** Returns the end of a message, which says what was received. */
  const received = (body: string | Uint8Array, tried: number, signed = payload) =>
    `Received: body of ${Buffer.byteLength(body)} bytes (SHA-256 ${sha256(body)}), timestamp ${timestamp}, ` +
    `signature sha256=${hmac(secret, signed).digest("hex")}. Secrets tried: ${tried}`;

  test("signature_mismatch names the received body, timestamp and signature, and the number of secrets", async () => {
    const changed = payload.replace("dich", "Dich");
    for (const body of [changed, new TextEncoder().encode(changed), ""])
      expect(await errorOf({ payload: body })).toMatchObject({
        code: "signature_mismatch",
        message: `Signature mismatch: wrong secret, or the body was changed. ${received(body, 1)}`,
      });
    const several = await errorOf({ secret: [other, "", `${other}2`] });
    expect(several.message).toBe(
      `Signature mismatch: wrong secret, or the body was changed. ${received(payload, 2)}`,
    );
  });

  test("reserialized_payload and malformed_secret name the same", async () => {
    const indented = JSON.stringify(JSON.parse(payload), null, 2);
    for (const keys of [secret, [other, secret]])
      expect(await errorOf({ payload: indented, secret: keys })).toMatchObject({
        code: "reserialized_payload",
        message: `Body is the same JSON with other bytes: pass the raw body (no body parser). ${received(indented, [keys].flat().length)}`,
      });
    expect(await errorOf({ secret: "whsec_0" })).toMatchObject({
      code: "malformed_secret",
      message: `A secret must start with parley_ws_. ${received(payload, 1)}`,
    });
  });

  test("timestamp_too_old and timestamp_in_future name the timestamp, the clock and the difference", async () => {
    const at = (seconds: number) => ({ now: () => (timestamp + seconds) * 1000, tolerance: 60 });
    expect(await errorOf(at(61))).toMatchObject({
      code: "timestamp_too_old",
      message: "Timestamp 1772359200 is 61 s old (own clock: 1772359261, tolerance: 60 s)",
    });
    expect(await errorOf(at(-3600))).toMatchObject({
      code: "timestamp_in_future",
      message: "Timestamp 1772359200 is 3600 s ahead (own clock: 1772355600, tolerance: 60 s)",
    });
  });

  test("names the bytes that were compared, even if they change during verification", async () => {
    const bytes = new TextEncoder().encode(`${payload} `);
    const error = errorOf({ payload: bytes });
    const message = received(`${payload} `, 1);
    bytes.fill(0x20);
    expect((await error).message).toContain(message);
  });

  /** Returns everything that code can print of an error. */
  function printed(error: Error): string {
    const own = Reflect.ownKeys(error).map((key) => inspect(Reflect.get(error, key)));
    const whole = inspect(error, { showHidden: true, depth: null });
    return [`${error}`, error.message, error.stack, JSON.stringify(error), whole, ...own].join("\n");
  }

  test("no error contains a secret or an expected signature", async () => {
    const keys = fc.stringMatching(/^[A-Za-z0-9+/]{20,50}$/);
    const prefixes = fc.constantFrom("parley_ws_", "whsec_", "");
    const forms = fc.constantFrom(payload, `${payload}\n`, '{"type": "lead.created"}', "not JSON", "");
    const property = fc.asyncProperty(
      keys,
      prefixes,
      forms,
      fc.boolean(),
      async (key, prefix, body, late) => {
        const wrong = `${prefix}${key}`;
        const now = () => (timestamp + (late ? 301 : 0)) * 1000;
        const text = printed(
          await errorOf({ secret: [wrong, "parley_ws_second"], payload: body, now }, "signed"),
        );
        expect(text).not.toContain(key);
        expect(text).not.toContain("parley_ws_second");
        for (const encoding of ["hex", "base64", "base64url"] as const) {
          expect(text).not.toContain(Buffer.from(wrong).toString(encoding));
          for (const each of [wrong, "parley_ws_second"])
            expect(text).not.toContain(hmac(each, body).digest(encoding));
        }
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  test("no error for a body that was serialized again contains the secret or the signature of this body", async () => {
    const indented = JSON.stringify(JSON.parse(payload), null, 2);
    const error = await errorOf({ payload: indented });
    expect(error.code).toBe("reserialized_payload");
    expect(printed(error)).not.toContain(secret);
    expect(printed(error)).not.toContain(hmac(secret, indented).digest("hex"));
  });

  test("no error for invalid options contains the secret", async () => {
    const invalid: unknown[] = [
      { secret: { trim: () => true, secret } },
      { secret: [[[secret]]] },
      { payload: { secret } },
      { headers: {} },
      { tolerance: Symbol("one") },
    ];
    for (const change of invalid)
      expect(printed(await errorOf(change as Partial<Webhooks.VerifyWebhookOptions>))).not.toContain(secret);
  });
});

test("an accepted delivery computes no hash of its body", async () => {
  const digest = vi.spyOn(crypto.subtle, "digest");
  const { verifyWebhook } = await import("./index.ts");
  const headers = {
    "x-parley-signature": `sha256=${hmac(secret, payload).digest("hex")}`,
    "x-parley-timestamp": `${timestamp}`,
  };
  const options = { payload, headers, now: () => timestamp * 1000 };
  await verifyWebhook({ ...options, secret });
  expect(digest).not.toHaveBeenCalled();
  await expect(verifyWebhook({ ...options, secret: other })).rejects.toThrow("Signature mismatch");
  expect(digest).toHaveBeenCalledOnce();
});
