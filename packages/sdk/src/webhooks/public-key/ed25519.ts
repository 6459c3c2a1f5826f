import { nodeCrypto } from "../node-crypto.ts";

/** What precedes the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo, RFC 8410 section 10.1. */
const spkiPrefix = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/**
 * Checks whether one of the signatures is a signature of the content by a public key (Ed25519, RFC 8032).
 *
 * @param publicKey - 32 bytes
 */
export async function isSigned(
  publicKey: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (nodeCrypto) {
    const key = Uint8Array.from([...spkiPrefix, ...publicKey]);
    const loaded = nodeCrypto.createPublicKey({ key, format: "der", type: "spki" });
    return signatures.some((signature) => nodeCrypto?.verify(null, content, loaded, signature));
  }
  const { subtle } = crypto;
  const key = await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  for (const signature of signatures) {
    if (await subtle.verify("Ed25519", key, signature, content)) return true;
  }
  return false;
}

/** Returns the bytes of a text in base64 or base64url. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
