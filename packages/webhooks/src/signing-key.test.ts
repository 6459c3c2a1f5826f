import { createPublicKey, sign, verify } from "node:crypto";
import { expect, test } from "vitest";
import { createSigningKey, keyAt, readPrivateKey } from "./signing-key.ts";

test("the public key verifies what the private key signs", () => {
  const { publicKey, privateKey } = createSigningKey();
  expect(publicKey).toHaveLength(32);
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const content = Buffer.from("content");
  expect(verify(null, content, key, sign(null, content, readPrivateKey(privateKey)))).toBe(true);
});

test.each([
  [0, "first"], // The clock of a worker may be behind that of the database, which set the time of the first key.
  [10, "first"],
  [19, "first"],
  [20, "second"],
  [30, "second"],
])("at %i ms, the key %s signs", (now, key) => {
  const keys = [
    { key: "first", from: 10 },
    { key: "second", from: 20 },
  ];
  expect(keyAt(keys, now)).toBe(key);
});

test("without keys, none signs", () => {
  expect(keyAt([], 0)).toBeUndefined();
});
