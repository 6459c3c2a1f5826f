import { createHmac, createPrivateKey, sign } from "node:crypto";

/** Delivery for tests of code that verifies signatures. */
export interface TestVector {
  readonly name: string;
  readonly secret: string;
  /** JWK Set, for code that verifies the signature `v1a`. */
  readonly public_keys: { readonly keys: readonly object[] };
  /** Time at which the delivery arrives, in seconds since 1970. */
  readonly now: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly valid: boolean;
}

const secret = "parley_ws_q4yJ8m2Zk0b1xv7Tn3cWf9Rd6hLs5gPaEuYiOoKjHwM";
/** Key pair of RFC 8037, appendix A.1. */
const publicKey = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
const privateKey = createPrivateKey({
  key: { ...publicKey, d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A" },
  format: "jwk",
});
const otherPublicKey = { ...publicKey, x: "X5w1kC5YiqIjCd9OxUS0lIgWBoMCxY0cjFV5fGl5IoM" };
const sent = 1_772_359_200;
const id = "01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b";

/**
 * Returns deliveries that must be accepted or rejected, each with all signatures.
 *
 * @param example body of an event
 */
export function testVectors(example: object): TestVector[] {
  const body = JSON.stringify(example);
  const signed = signedVector("an event", body);
  const { headers } = signed;
  return [
    signed,
    signedVector("text in UTF-8", JSON.stringify({ type: "lead.created", data: { name: "Zoë 😀 \u2028" } })),
    { ...signed, name: "300 seconds old", now: sent + 300 },
    { ...signed, name: "300 seconds ahead", now: sent - 300 },
    { ...signed, name: "301 seconds old", now: sent + 301, valid: false },
    { ...signed, name: "301 seconds ahead", now: sent - 301, valid: false },
    { ...signed, name: "changed body", body: `${body} `, valid: false },
    {
      ...signed,
      name: "body that was parsed and serialized again",
      body: JSON.stringify(example, null, 2),
      valid: false,
    },
    {
      ...signed,
      name: "another secret and another public key",
      secret: `${secret.slice(0, -1)}N`,
      public_keys: { keys: [otherPublicKey] },
      valid: false,
    },
    changed("changed timestamp", { "x-parley-timestamp": `${sent + 1}`, "webhook-timestamp": `${sent + 1}` }),
    changed("signature of zeros", {
      "x-parley-signature": `sha256=${"0".repeat(64)}`,
      "webhook-signature": `v1,${"A".repeat(43)}=`,
    }),
    changed("short signature", { "x-parley-signature": "sha256=", "webhook-signature": "v1," }),
    { ...signed, name: "no timestamp", headers: without(headers, /timestamp/), valid: false },
    { ...signed, name: "no signature", headers: without(headers, /signature/), valid: false },
  ];

  function changed(name: string, change: Record<string, string>): TestVector {
    return { ...signed, name, headers: { ...headers, ...change }, valid: false };
  }
}

function signedVector(name: string, body: string): TestVector {
  const hmac = (text: string, encoding: "hex" | "base64") =>
    createHmac("sha256", secret).update(text).digest(encoding);
  const content = `${id}.${sent}.${body}`;
  const headers = {
    "x-parley-timestamp": `${sent}`,
    "x-parley-signature": `sha256=${hmac(`${sent}.${body}`, "hex")}`,
    "webhook-id": id,
    "webhook-timestamp": `${sent}`,
    "webhook-signature": `v1,${hmac(content, "base64")} v1a,${sign(null, Buffer.from(content), privateKey).toString("base64")}`,
  };
  return { name, secret, public_keys: { keys: [publicKey] }, now: sent, headers, body, valid: true };
}

function without(headers: Readonly<Record<string, string>>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}
