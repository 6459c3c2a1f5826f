import { createHmac } from "node:crypto";
import type { Due } from "./seed.ts";

/** The headers that Parley sends, with both of its signatures. */
export function signed({ id, eventType, body, secret }: Due): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const hex = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const base64 = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Parley-Webhooks/1",
    "x-parley-signature": `sha256=${hex}`,
    "x-parley-timestamp": timestamp,
    "x-parley-event": eventType,
    "x-parley-delivery": id,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${base64}`,
  };
}
