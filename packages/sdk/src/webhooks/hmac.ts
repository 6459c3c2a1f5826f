import { nodeCrypto } from "./node-crypto.ts";

/**
 * Returns the HMAC-SHA-256 of `<timestamp>.<raw_body>` as 64 hex digits. The key is the UTF-8 of the whole secret,
 * including its prefix `parley_ws_`.
 */
export function hmac(secret: string, timestamp: string, body: string | Uint8Array): string | Promise<string> {
  if (nodeCrypto)
    return nodeCrypto.createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return webHmac(secret, bytesOf(`${timestamp}.`, body));
}

async function webHmac(secret: string, content: Promise<ArrayBuffer>): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", await bytesOf(secret), algorithm, false, ["sign"]);
  return hexOf(await crypto.subtle.sign("HMAC", key, await content));
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

function hexOf(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
