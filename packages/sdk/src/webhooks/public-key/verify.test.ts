import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as PublicKey from "./index.ts";

const timestamp = 1772359200;
const id = "01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b";
const payload = '{"type":"lead.created","data":{"name":"Zoë 🦊"}}';
/** Signed with `openssl pkeyutl -sign -rawin`. */
const signature = "StJU93wXTBGMp1Hz/HomPBd8mmfe1tcpykbU/hxQ7CF2kkAWorNlQGkLeSMcEfsXKGXAY8wSV3dXruzsVZEFBg==";
const key = { kty: "OKP", crv: "Ed25519", x: "X5w1kC5YiqIjCd9OxUS0lIgWBoMCxY0cjFV5fGl5IoM" };
const headers = {
  "webhook-id": id,
  "webhook-timestamp": `${timestamp}`,
  "webhook-signature": `v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw= v1a,${signature}`,
};
const delivery = { payload, headers, publicKeys: { keys: [key] }, now: () => timestamp * 1000 };

const pair = generateKeyPairSync("ed25519");
const jwkOf = (publicKey: KeyObject) => publicKey.export({ format: "jwk" }) as PublicKey.WebhookPublicKey;
const otherKey = jwkOf(generateKeyPairSync("ed25519").publicKey);

/** Returns a delivery that is signed with another key. */
function signed(body: string | Uint8Array, words = (one: string) => `v1a,${one}`) {
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  const word = words(sign(null, content, pair.privateKey).toString("base64"));
  return {
    ...delivery,
    payload: body,
    headers: { ...headers, "webhook-signature": word },
    publicKeys: { keys: [jwkOf(pair.publicKey)] },
  };
}

describe.each(["node:crypto", "WebCrypto"])("with %s", (implementation) => {
  let sdk: typeof PublicKey;
  beforeEach(async () => {
    if (implementation === "WebCrypto")
      vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.resetModules();
    sdk = await import("./index.ts");
  });
  afterEach(() => vi.restoreAllMocks());

  const verify = (change: object) =>
    sdk.verifyWebhookWithPublicKey({ ...delivery, ...change } as PublicKey.VerifyWithPublicKeyOptions);
  /** Returns the error of a rejected delivery. */
  async function errorOf(change: object): Promise<PublicKey.WebhookVerificationError> {
    const error = await verify(change).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(sdk.WebhookVerificationError);
    return error as PublicKey.WebhookVerificationError;
  }
  const codeOf = async (change: object) => (await errorOf(change)).code;

  test.each([
    ["a string", payload],
    ["bytes", new TextEncoder().encode(payload)],
    ["an ArrayBuffer", new TextEncoder().encode(payload).buffer],
  ])("accepts a delivery that openssl signed, as %s", async (_, body) => {
    expect(await verify({ payload: body })).toEqual(JSON.parse(payload));
  });

  test("accepts Headers, and names in any case", async () => {
    expect((await verify({ headers: new Headers(headers) })).type).toBe("lead.created");
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect((await verify({ headers: Object.fromEntries(upper) })).type).toBe("lead.created");
  });

  test("accepts several keys, of which one matches, and ignores keys of other kinds", async () => {
    const keys = [otherKey, { kty: "RSA", n: "x", e: "AQAB" }, { kty: "OKP", crv: "X25519", x: key.x }, key];
    expect((await verify({ publicKeys: { keys } })).type).toBe("lead.created");
  });

  test("accepts several signatures, of which one matches", async () => {
    const other = Buffer.alloc(64, 1).toString("base64");
    const several = signed(payload, (one) => `v1,x v1a,${other} v2,y v1a,${one}`);
    expect((await verify(several)).type).toBe("lead.created");
    const many = signed(payload, (one) => `${`v1a,${other} `.repeat(4)}v1a,${one}`);
    expect(await codeOf(many)).toBe("signature_mismatch");
  });

  test.each([-300, 0, 300])("accepts a timestamp with an age of %i s", async (age) => {
    expect((await verify({ now: () => (timestamp + age) * 1000 })).type).toBe("lead.created");
  });

  test.each([
    [{ now: () => (timestamp + 301) * 1000 }, "timestamp_too_old"],
    [{ now: () => (timestamp - 301) * 1000 }, "timestamp_in_future"],
    [{ now: () => (timestamp + 6) * 1000, tolerance: 5 }, "timestamp_too_old"],
    [{ tolerance: Number.NaN }, "timestamp_too_old"],
  ])("rejects a timestamp outside the tolerance: %#", async (change, code) => {
    expect(await codeOf(change)).toBe(code);
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "rejects a delivery without %s",
    async (name) => {
      const error = await errorOf({ headers: { ...headers, [name]: undefined } });
      expect(error).toMatchObject({ code: "missing_header", header: name });
    },
  );

  test.each([
    ["webhook-id", "a.b", "malformed_signature"],
    ["webhook-timestamp", "1772359200.0", "malformed_timestamp"],
    ["webhook-signature", signature, "malformed_signature"],
    ["webhook-signature", `v1a,${signature.slice(4)}`, "malformed_signature"],
    ["webhook-signature", `v1a, ${signature}`, "malformed_signature"],
    ["webhook-signature", "v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=", "malformed_signature"],
  ])("rejects a malformed %s: %j", async (name, value, code) => {
    expect(await errorOf({ headers: { ...headers, [name]: value } })).toMatchObject({ code, header: name });
  });

  test("names the option if the delivery has only the other signature", async () => {
    const only = { ...headers, "webhook-signature": "v1,uRqytfOPi5iK5+akuiatIltdMPeU1BdMASjnz4tbuUw=" };
    expect((await errorOf({ headers: only })).message).toContain("public_key_signature");
  });

  test.each([
    ["a changed body", { payload: payload.replace("Zoë", "Zoe") }],
    ["another ID", { headers: { ...headers, "webhook-id": "01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1c" } }],
    ["another timestamp", { headers: { ...headers, "webhook-timestamp": `${timestamp + 1}` } }],
    ["keys of another organization", { publicKeys: { keys: [otherKey] } }],
  ])("rejects %s: signature_mismatch", async (_, change) => {
    expect(await codeOf(change)).toBe("signature_mismatch");
  });

  test("explains a body that was parsed and serialized again", async () => {
    const change = { payload: JSON.stringify(JSON.parse(payload), null, 2) };
    expect(await codeOf(change)).toBe("reserialized_payload");
    expect(await codeOf({ ...change, publicKeys: { keys: [otherKey] } })).toBe("signature_mismatch");
  });

  test.each([
    [{ keys: [] }, "missing_secret"],
    [{ keys: [{ kty: "OKP", crv: "Ed25519", x: "short" }] }, "malformed_secret"],
    [{ keys: [{ kty: "RSA", n: "x" }] }, "malformed_secret"],
    [{}, "malformed_payload"],
    [null, "malformed_payload"],
  ])("rejects the keys %j: %s", async (publicKeys, code) => {
    expect(await codeOf({ publicKeys })).toBe(code);
  });

  test.each(["not JSON", "[]", "{}", new Uint8Array([0xff])])("rejects the signed body %j", async (body) => {
    expect(await codeOf(signed(body))).toBe("malformed_payload");
  });

  test("says what was compared", async () => {
    const body = payload.replace("Zoë", "Zoe");
    const digest = createHash("sha256").update(body).digest("hex");
    expect((await errorOf({ payload: body })).message).toBe(
      "Signature mismatch: keys of another organization, or the body was changed. " +
        `Received: body of ${Buffer.byteLength(body)} bytes (SHA-256 ${digest}), ID ${id}, timestamp ${timestamp}, ` +
        `signature ${headers["webhook-signature"]}. Public keys tried: 1`,
    );
  });

  test("is not affected by bytes that change during verification", async () => {
    const bytes = new TextEncoder().encode(payload);
    const verified = verify({ payload: bytes });
    bytes.fill(0x20);
    expect(await verified).toEqual(JSON.parse(payload));
  });

  test("rejects a parsed body", async () => {
    expect(await codeOf({ payload: JSON.parse(payload) })).toBe("malformed_payload");
  });

  test("loads the keys again if none matches, and rejects if the new ones do not either", async () => {
    const source = (again: PublicKey.WebhookPublicKey[]) => ({
      get: vi.fn<PublicKey.WebhookPublicKeySource["get"]>(async () => [otherKey]),
      refresh: vi.fn<PublicKey.WebhookPublicKeySource["get"]>(async () => again),
    });
    const rotated = source([key]);
    expect((await verify({ publicKeys: rotated })).type).toBe("lead.created");
    expect(rotated.refresh).toHaveBeenCalledOnce();
    expect(await codeOf({ publicKeys: source([otherKey]) })).toBe("signature_mismatch");
    const known = { ...source([]), get: async () => [key] };
    expect((await verify({ publicKeys: known })).type).toBe("lead.created");
    expect(known.refresh).not.toHaveBeenCalled();
  });

  test("does not load keys for a delivery with an old timestamp", async () => {
    const get = vi.fn<PublicKey.WebhookPublicKeySource["get"]>(async () => [key]);
    const change = { publicKeys: { get, refresh: get }, now: () => (timestamp + 301) * 1000 };
    expect(await codeOf(change)).toBe("timestamp_too_old");
    expect(get).not.toHaveBeenCalled();
  });

  test("passes on that the keys cannot be loaded, because this is no reason to reject the delivery", async () => {
    const get = () => Promise.reject(new sdk.WebhookPublicKeysError("down"));
    await expect(verify({ publicKeys: { get, refresh: get } })).rejects.toBeInstanceOf(
      sdk.WebhookPublicKeysError,
    );
  });
});
