import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";

/** Creates an Ed25519 key pair (RFC 8032). The private key is PKCS #8 in base64, as it is stored encrypted. */
export function createSigningKey(): { publicKey: Uint8Array<ArrayBuffer>; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    publicKey: new Uint8Array(Buffer.from(x, "base64url")),
    privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
  };
}

/** Reads the private key of `createSigningKey`. */
export function readPrivateKey(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
}

/** Key of an organization with the time from which it signs, in ms since 1970. */
export interface SigningKey<Key> {
  key: Key;
  from: number;
}

/**
 * Returns the key that signs at a time: the latest that signs from then on or earlier. The first key also signs before its time, because the
 * clock of a worker may be slightly behind.
 *
 * @param keys in the order in which they sign
 * @param now ms since 1970
 */
export function keyAt<Key>(keys: readonly SigningKey<Key>[], now: number): Key | undefined {
  return (keys.findLast(({ from }) => from <= now) ?? keys[0])?.key;
}
