import type { AttemptResult } from "../delivery/attempt.ts";
import { deliveryHeaders, type Signatures } from "../delivery/sign.ts";

/** What the log stores of an attempt's request and response that cannot be derived from the delivery. */
export interface Exchange {
  url: string;
  signatures: Signatures;
  responseHeaders: Record<string, string> | null;
  addresses: string[];
  /** Durations in milliseconds of DNS, connecting, TLS, and from the start to the first byte of the response. */
  timings: [dns: number | null, connect: number | null, tls: number | null, firstByte: number | null];
}

/** Returns the exchange of an attempt that was sent. */
export function exchangeOf(url: string, signatures: Signatures, result: AttemptResult): Exchange {
  const { responseHeaders, firstByteMs, connection } = result;
  const { addresses = [], dnsMs = null, connectMs = null, tlsMs = null } = connection ?? {};
  return { url, signatures, responseHeaders, addresses, timings: [dnsMs, connectMs, tlsMs, firstByteMs] };
}

/** Returns the headers of the request of an attempt. */
export function requestHeaders(
  delivery: { deliveryId: string; eventType: string; attemptedAt: Date },
  { signatures }: Exchange,
): Record<string, string> {
  return deliveryHeaders(delivery, signatures, delivery.attemptedAt.getTime());
}
