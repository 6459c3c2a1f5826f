interface NodeCrypto {
  createHmac(algorithm: string, key: string): Hmac;
}

interface Hmac {
  update(data: string | Uint8Array): Hmac;
  digest(encoding: "hex"): string;
}

declare const process: { getBuiltinModule?(name: string): NodeCrypto } | undefined;

/**
 * node:crypto, where the runtime has it. It is faster than WebCrypto, which runs each call in another thread. It is not
 * imported, because browsers do not have it.
 */
export const nodeCrypto: NodeCrypto | undefined =
  typeof process === "object" ? /* @__PURE__ */ process.getBuiltinModule?.("node:crypto") : undefined;

/**
 * Returns the HMAC-SHA-256 of `<timestamp>.<raw_body>` as 64 hex digits. The key is the UTF-8 of the whole secret,
 * including its prefix `parley_ws_`.
 */
export function hmac(secret: string, timestamp: string, body: string | Uint8Array): string | Promise<string> {
  if (nodeCrypto)
    return nodeCrypto.createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return webHmac(secret, new Blob([`${timestamp}.`, body as BlobPart]));
}

async function webHmac(secret: string, content: Blob): Promise<string> {
  const { subtle } = crypto;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", key, await content.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
