import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { webhookHeaders } from "../testing/index.ts";
import {
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  verifyWebhookDelivery,
  WebhookVerificationError,
} from "./index.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const timestamp = 1772359200;
const payload = '{"id":"01928c61-0000-7b1c-9a2d-3c4d5e6f7a80","type":"lead.created"}';
const signature = "33b53be32a8d4fe7e43c5c837ee9cf733d2193adff47b1ab8adc718ca6ef5fb1";
const headers = { "x-parley-signature": `sha256=${signature}`, "x-parley-timestamp": `${timestamp}` };
const now = () => timestamp * 1000;

const delivery: VerifyWebhookOptions = { payload, headers, secret, now };

/** Returns the error for a changed delivery. */
async function errorOf(change: Partial<VerifyWebhookOptions>): Promise<WebhookVerificationError> {
  const error = await verifyWebhook({ ...delivery, ...change }).catch((reason: unknown) => reason);
  if (error instanceof WebhookVerificationError) return error;
  throw new Error("Expected a WebhookVerificationError", { cause: error });
}

async function codeOf(change: Partial<VerifyWebhookOptions>): Promise<string> {
  return (await errorOf(change)).code;
}

async function signed(body: VerifyWebhookOptions["payload"]): Promise<VerifyWebhookOptions> {
  return { ...delivery, payload: body, headers: await signWebhook({ payload: body, secret, timestamp }) };
}

describe("accepts", () => {
  test("a delivery, and returns its event", async () => {
    expect(await verifyWebhook(delivery)).toEqual(JSON.parse(payload));
  });

  // printf '%s' '<timestamp>.<raw body>' | openssl dgst -sha256 -hmac parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4
  test.each([
    [payload, signature],
    [
      '{"type":"conversation.message_received","text":"Grüß dich 👋"}',
      "b3a17df7df25cf447ef566c0f8aed959546021f0ad5d525a7cc0f5d27a51d946",
    ],
  ])("a body signed by openssl: %s", async (body, hex) => {
    const signedByOpenssl = { ...headers, "x-parley-signature": `sha256=${hex}` };
    expect(await verifyWebhook({ ...delivery, payload: body, headers: signedByOpenssl })).toEqual(
      JSON.parse(body),
    );
  });

  test("bodies signed by node:crypto, of each length around the block size", async () => {
    for (let length = 0; length <= 130; length++) {
      const body = JSON.stringify({ type: "lead.updated", filler: "ä".repeat(length) });
      const hex = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
      const own = { ...headers, "x-parley-signature": `sha256=${hex}` };
      expect(await verifyWebhook({ ...delivery, payload: body, headers: own })).toEqual(JSON.parse(body));
    }
  });

  const bytes = new TextEncoder().encode(payload);
  const pooled = Buffer.from(`before${payload}after`).subarray(6, 6 + bytes.length);
  test.each([
    ["Uint8Array", bytes],
    ["a Buffer within a larger ArrayBuffer", pooled],
    ["ArrayBuffer", bytes.buffer.slice(0)],
    ["bytes in shared memory", sharedCopy(bytes)],
  ])("a payload as %s", async (_, form) => {
    expect(await verifyWebhook({ ...delivery, payload: form })).toEqual(JSON.parse(payload));
  });

  test.each<[string, VerifyWebhookOptions["headers"]]>([
    ["Headers", new Headers(headers)],
    ["Headers of a Request", new Request("http://localhost", { headers }).headers],
    [
      "an object with names in mixed case",
      {
        "X-Parley-Signature": headers["x-parley-signature"],
        "X-Parley-Timestamp": headers["x-parley-timestamp"],
      },
    ],
    [
      "an object with names in upper case",
      {
        "X-PARLEY-SIGNATURE": headers["x-parley-signature"],
        "X-PARLEY-TIMESTAMP": headers["x-parley-timestamp"],
      },
    ],
    [
      "arrays with one value",
      {
        "x-parley-signature": [headers["x-parley-signature"]],
        "x-parley-timestamp": [headers["x-parley-timestamp"]],
      },
    ],
    [
      "an object with other headers, some undefined",
      { host: undefined, get: "a header of this name", ...headers },
    ],
    ["hex digits in upper case", { ...headers, "x-parley-signature": `sha256=${signature.toUpperCase()}` }],
  ])("headers as %s", async (_, form) => {
    expect((await verifyWebhook({ ...delivery, headers: form })).type).toBe("lead.created");
  });

  test.each([
    ["the first", [secret, "parley_ws_other"]],
    ["the last", ["parley_ws_other", "parley_ws_another", secret]],
    ["the only", [secret]],
    ["the only non-empty one", ["", secret]],
  ])("several secrets, of which %s matches", async (_, several) => {
    expect((await verifyWebhook({ ...delivery, secret: several })).type).toBe("lead.created");
  });

  test("an unknown event type", async () => {
    const unknown = await signed('{"type":"lead.teleported"}');
    expect((await verifyWebhook(unknown)).type).toBe("lead.teleported");
  });

  test("the current time by the system clock", async () => {
    const fresh = await signWebhook({ payload, secret });
    expect((await verifyWebhook({ payload, headers: fresh, secret })).type).toBe("lead.created");
  });
});

describe("tolerance", () => {
  test.each([-300, -299, -1, 0, 1, 299, 300])("accepts a timestamp with an age of %i s", async (seconds) => {
    expect(await verifyWebhook({ ...delivery, now: () => (timestamp + seconds) * 1000 })).toEqual(
      JSON.parse(payload),
    );
  });

  test.each([
    [301, "timestamp_too_old"],
    [86_400, "timestamp_too_old"],
    [-301, "timestamp_in_future"],
    [-86_400, "timestamp_in_future"],
  ])("rejects a timestamp with an age of %i s: %s", async (seconds, code) => {
    expect(await codeOf({ now: () => (timestamp + seconds) * 1000 })).toBe(code);
  });

  test("compares whole seconds", async () => {
    expect(await verifyWebhook({ ...delivery, now: () => (timestamp + 300) * 1000 + 999 })).toEqual(
      JSON.parse(payload),
    );
    expect(await codeOf({ now: () => (timestamp - 300) * 1000 - 1 })).toBe("timestamp_in_future");
  });

  test("can be set", async () => {
    const after = (seconds: number) => ({ tolerance: 5, now: () => (timestamp + seconds) * 1000 });
    expect(await verifyWebhook({ ...delivery, ...after(5) })).toEqual(JSON.parse(payload));
    expect(await codeOf(after(6))).toBe("timestamp_too_old");
    expect(await codeOf(after(-6))).toBe("timestamp_in_future");
    expect(await verifyWebhook({ ...delivery, tolerance: 0 })).toEqual(JSON.parse(payload));
  });

  test.each([
    ["a tolerance that is not a number", { tolerance: Number.NaN }],
    ["a negative tolerance", { tolerance: -1 }],
    ["a clock that does not return a number", { now: () => Number.NaN }],
  ])("accepts nothing with %s", async (_, change) => {
    expect(await codeOf(change)).toBe("timestamp_too_old");
  });
});

describe("rejects", () => {
  test.each(["x-parley-signature", "x-parley-timestamp"])("a delivery without %s", async (name) => {
    for (const value of [undefined, "", []]) {
      const error = await errorOf({ headers: { ...headers, [name]: value } });
      expect(error).toMatchObject({ code: "missing_header", header: name });
      expect(error.message).toContain(name);
    }
    const form = new Headers(headers);
    form.delete(name);
    expect(await errorOf({ headers: form })).toMatchObject({ code: "missing_header", header: name });
  });

  test.each([
    signature,
    `sha1=${signature}`,
    `sha256=${signature.slice(1)}`,
    `sha256=${signature}0`,
    `sha256=${signature.slice(1)}g`,
    `sha256=${signature}\n`,
    `sha256=${signature}, sha256=${signature}`,
    "sha256=",
  ])("a malformed signature: %j", async (value) => {
    expect(await codeOf({ headers: { ...headers, "x-parley-signature": value } })).toBe(
      "malformed_signature",
    );
  });

  test("a repeated header", async () => {
    const twice = (value: string) => [value, value];
    const signatures = { ...headers, "x-parley-signature": twice(headers["x-parley-signature"]) };
    expect(await codeOf({ headers: signatures })).toBe("malformed_signature");
    const timestamps = { ...headers, "x-parley-timestamp": twice(headers["x-parley-timestamp"]) };
    expect(await codeOf({ headers: timestamps })).toBe("malformed_timestamp");
    const cases = { ...headers, "X-Parley-Timestamp": headers["x-parley-timestamp"] };
    expect(await codeOf({ headers: cases })).toBe("malformed_timestamp");
  });

  test.each(["now", "-1772359200", "1772359200.0", "1.77e9", "0x69a41b20", " 1772359200", "1772359200000"])(
    "a malformed timestamp: %j",
    async (value) => {
      const changed = { ...headers, "x-parley-timestamp": value };
      expect(await codeOf({ headers: changed })).toBe("malformed_timestamp");
    },
  );

  test.each([
    ["a changed body", { payload: payload.replace("created", "deleted") }],
    ["a body with another character", { payload: `${payload}x` }],
    ["an empty body", { payload: "" }],
    ["another secret", { secret: "parley_ws_other" }],
    ["several secrets, none of which matches", { secret: ["parley_ws_other", "parley_ws_another"] }],
  ])("%s: signature_mismatch", async (_, change) => {
    expect(await codeOf(change)).toBe("signature_mismatch");
  });

  test.each([
    ["the secret without its prefix", secret.slice("parley_ws_".length)],
    ["an access token", "parley_at_0"],
    ["a secret of another service", ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "sk_test_0"]],
  ])("%s: malformed_secret", async (_, other) => {
    const error = await errorOf({ secret: other });
    expect(error).toMatchObject({ code: "malformed_secret", message: expect.stringContaining("parley_ws_") });
  });

  test("but accepts a matching secret in another format", async () => {
    const own = { secret: "my own", headers: await signWebhook({ payload, secret: "my own", timestamp }) };
    expect((await verifyWebhook({ ...delivery, ...own })).type).toBe("lead.created");
  });

  const escaped = payload.replace("lead", "\\u006cead").replaceAll(",", ", ");
  test.each([
    ["with indentation", JSON.stringify(JSON.parse(payload), null, 1)],
    ["with other escapes and spaces", escaped],
    ["as bytes", new TextEncoder().encode(escaped)],
  ])("a body that was parsed and serialized again, %s: reserialized_payload", async (_, body) => {
    const error = await errorOf({ payload: body });
    expect(error).toMatchObject({
      code: "reserialized_payload",
      message: expect.stringContaining("body parser"),
    });
    expect(await codeOf({ payload: body, secret: "parley_ws_other" })).toBe("signature_mismatch");
  });

  test("a new timestamp with an old signature: signature_mismatch", async () => {
    const replayed = { ...headers, "x-parley-timestamp": `${timestamp + 1000}` };
    const change = { headers: replayed, now: () => (timestamp + 1000) * 1000 };
    expect(await codeOf(change)).toBe("signature_mismatch");
  });

  test("a timestamp with a leading zero that was signed without it: signature_mismatch", async () => {
    const padded = { ...headers, "x-parley-timestamp": `0${timestamp}` };
    expect(await codeOf({ headers: padded })).toBe("signature_mismatch");
  });

  test.each([[""], [[]], [[""]], [1 as never], [{} as never], [null as never]])(
    "the secret %j: missing_secret",
    async (none) => {
      expect(await codeOf({ secret: none })).toBe("missing_secret");
    },
  );

  test("an unset environment variable: missing_secret", async () => {
    const unset = process.env.PARLEY_TEST_SECRET_THAT_IS_NOT_SET as string;
    expect(await codeOf({ secret: unset })).toBe("missing_secret");
    expect(await codeOf({ secret: [unset] })).toBe("missing_secret");
  });

  test("a parsed body: malformed_payload, with a message that says what to do", async () => {
    for (const parsed of [JSON.parse(payload), null, undefined, 1]) {
      const error = await errorOf({ payload: parsed });
      expect(error.code).toBe("malformed_payload");
      expect(error.message).toContain("raw body");
    }
  });

  test("invalid headers: missing_header", async () => {
    for (const none of [null, undefined, "", 1, []] as never[]) {
      expect(await errorOf({ headers: none })).toMatchObject({ code: "missing_header" });
    }
  });

  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0x00]);
  const cut = new TextEncoder().encode('{"type":"é"}').filter((byte) => byte !== 0xa9);
  test.each([
    ["not JSON", "hello"],
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["an object without a type", "{}"],
    ["a type that is not a string", '{"type":1}'],
    ["UTF-16", utf16],
    ["invalid UTF-8", cut],
  ])("a signed body that is %s: malformed_payload", async (_, body) => {
    expect(await codeOf(await signed(body))).toBe("malformed_payload");
  });

  test("the decoded text of bytes that are not UTF-8: signature_mismatch", async () => {
    const { headers: own } = await signed(cut);
    const decoded = new TextDecoder().decode(cut);
    expect(await codeOf({ payload: decoded, headers: own })).toBe("signature_mismatch");
  });
});

test("is not affected by bytes that change during verification", async () => {
  const bytes = new TextEncoder().encode(payload);
  const verified = verifyWebhook({ ...delivery, payload: bytes });
  bytes.fill(0x20);
  expect(await verified).toEqual(JSON.parse(payload));
});

test.each<[string, unknown]>([
  ["no options", undefined],
  ["null", null],
  ["a clock that throws", { ...delivery, now: () => JSON.parse("") }],
  ["a clock that is not a function", { ...delivery, now: 123 }],
  ["a tolerance that is a symbol", { ...delivery, tolerance: Symbol("one") }],
  ["headers that throw", { ...delivery, headers: { get: () => JSON.parse("") } }],
  [
    "a header that is not a string",
    { ...delivery, headers: { ...headers, "x-parley-timestamp": Object.create(null) } },
  ],
  ["a secret in an object", { ...delivery, secret: { trim: () => true } }],
  ["a DataView", { ...delivery, payload: new DataView(new ArrayBuffer(4)) }],
  ["a payload with a false length", { ...delivery, payload: { byteLength: 1, length: 2 ** 53 } }],
  ["a payload without a buffer", { ...delivery, payload: Object.create(Uint8Array.prototype) }],
])("throws only a WebhookVerificationError for %s", async (_, options) => {
  const error = await verifyWebhook(options as VerifyWebhookOptions).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhookVerificationError);
});

test("throws an error with its name and without the secret", async () => {
  const error = await errorOf({ secret: "parley_ws_other" });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe("WebhookVerificationError");
  expect(error.header).toBeUndefined();
  expect(`${error}`).not.toContain("parley_ws_other");
});

function sharedCopy(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

describe("webhook-signature", () => {
  const standard = (key = secret, deliveryId = "d1") =>
    webhookHeaders(payload, { secret: key, deliveryId, now });
  const other = "parley_ws_Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8";

  test("signs the ID of the delivery", async () => {
    expect(await verifyWebhookDelivery({ ...delivery, headers: await standard() })).toEqual({
      event: JSON.parse(payload),
      id: "d1",
    });
    expect((await verifyWebhookDelivery(delivery)).id).toBeUndefined();
  });

  test("matches any of the secrets, and may contain other signatures", async () => {
    const [old, next] = [await standard(), await standard(other)];
    const both = { ...old, "webhook-signature": `v1a,abc ${next["webhook-signature"]} v2,x` };
    expect((await verifyWebhookDelivery({ ...delivery, headers: both, secret: [secret, other] })).id).toBe(
      "d1",
    );
    const joined = {
      ...old,
      "webhook-signature": `${next["webhook-signature"]} ${old["webhook-signature"]}`,
    };
    expect((await verifyWebhookDelivery({ ...delivery, headers: joined })).id).toBe("d1");
  });

  test.each<[name: string, change: () => Promise<Record<string, string>>, code: string]>([
    ["another ID", async () => ({ ...(await standard()), "webhook-id": "d2" }), "signature_mismatch"],
    [
      "a signature for another ID",
      async () => ({ ...(await standard(secret, "d2")), "webhook-id": "d1" }),
      "signature_mismatch",
    ],
    [
      "a signature with another secret",
      async () => ({ ...(await standard(other)), ...headers }),
      "signature_mismatch",
    ],
    ["no ID", async () => ({ ...(await standard()), "webhook-id": "" }), "missing_header"],
    [
      "an ID with a period",
      async () => ({ ...(await standard()), "webhook-id": "d.1" }),
      "malformed_signature",
    ],
    [
      "only another version",
      async () => ({ ...(await standard()), "webhook-signature": "v1a,abc" }),
      "signature_mismatch",
    ],
    [
      "nothing after the version",
      async () => ({ ...(await standard()), "webhook-signature": "v1," }),
      "signature_mismatch",
    ],
  ])("is rejected with %s", async (_name, change, code) => {
    expect(await codeOf({ headers: await change() })).toBe(code);
  });
});
