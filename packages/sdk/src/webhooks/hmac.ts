import { nodeCrypto } from "./node-crypto.ts";

/**
 * Returns the HMAC-SHA-256 of `<start>.<raw_body>` as hex digits or in base64. The start is the timestamp, after the ID of the delivery in
 * `webhook-signature`. The key is the UTF-8 of the whole secret,
 * including its prefix `parley_ws_`.
 */
export async function hmac(
  secret: string,
  start: string,
  body: string | Uint8Array,
  encoding: "hex" | "base64",
): Promise<string> {
  if (nodeCrypto)
    return nodeCrypto.createHmac("sha256", secret).update(`${start}.`).update(body).digest(encoding);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", await bytesOf(secret), algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, await bytesOf(`${start}.`, body));
  return encoding === "hex" ? hexOf(digest) : btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** Returns the length and the SHA-256 of a body, for error messages. */
export async function fingerprint(body: string | Uint8Array): Promise<string> {
  const bytes = await bytesOf(body);
  return `${bytes.byteLength} bytes (SHA-256 ${hexOf(await crypto.subtle.digest("SHA-256", bytes))})`;
}

/** Copies strings, in UTF-8, and bytes. */
function bytesOf(...parts: (string | Uint8Array)[]): Promise<ArrayBuffer> {
  return new Blob(parts as BlobPart[]).arrayBuffer();
}

export function hexOf(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
