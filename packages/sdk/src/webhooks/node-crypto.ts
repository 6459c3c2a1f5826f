/** Parts of node:crypto that this package uses. */
interface NodeCrypto {
  createHmac(algorithm: string, key: string): Hmac;
  createPublicKey(key: { key: Uint8Array; format: "der"; type: "spki" }): object;
  verify(algorithm: null, data: Uint8Array, key: object, signature: Uint8Array): boolean;
}

interface Hmac {
  update(data: string | Uint8Array): Hmac;
  digest(encoding: "hex" | "base64"): string;
}

declare const process: { getBuiltinModule?(name: string): NodeCrypto } | undefined;

/**
 * node:crypto, where the runtime has it. It is faster than WebCrypto, which runs each call in another thread. It is not
 * imported, because browsers do not have it.
 */
export const nodeCrypto: NodeCrypto | undefined =
  typeof process === "object" ? /* @__PURE__ */ process.getBuiltinModule?.("node:crypto") : undefined;
