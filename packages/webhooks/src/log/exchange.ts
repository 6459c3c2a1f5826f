/**
 * What the log stores of the request and response of a failed attempt, in addition to the columns. The other headers of the
 * request follow from the delivery.
 */
import type { AttemptResult } from "../delivery/attempt.ts";
import { deliveryHeaders, type Signatures } from "../delivery/sign.ts";

/** Shown instead of the value of a custom header. */
const redactedValue = "[redacted]";

/** Request and response of an attempt. */
export interface Exchange {
  url: string;
  /** Headers of the request. Values of custom headers are redacted. */
  requestHeaders: Record<string, string>;
  /** Null without a response. */
  responseHeaders: Record<string, string> | null;
  addresses: string[];
  /** Durations in milliseconds of DNS, connecting, TLS, and from the start to the first byte of the response. */
  timings: [dns: number | null, connect: number | null, tls: number | null, firstByte: number | null];
}

interface SentRequest {
  url: string;
  signatures: Signatures;
  /** Names of the headers that the subscription adds. Their values are secret. */
  customHeaders: string[];
}

/**
 * Returns the text for the log: lines with the URL, the signatures and the names of custom headers, the addresses and the timings,
 * then the response headers. Values of a line are separated by spaces; a missing one is empty.
 */
export function storedExchange(
  { url, signatures, customHeaders }: SentRequest,
  { responseHeaders, firstByteMs, connection }: AttemptResult,
): string {
  const addresses = connection?.addresses.join(" ") ?? "";
  const steps = connection ? [connection.dnsMs, connection.connectMs, connection.tlsMs].join(" ") : "  ";
  const response = responseHeaders === null ? "" : `\n${responseHeaders}`;
  return `${url}\n${[...signatures, ...customHeaders].join(" ")}\n${addresses}\n${steps} ${firstByteMs ?? ""}${response}`;
}

/** Reads the text of an attempt from the log. */
export function readExchange(
  delivery: { deliveryId: string; eventType: string; redelivery: boolean; attemptedAt: Date },
  text: string,
): Exchange {
  const [url = "", request = "", addresses = "", timings = "", ...response] = text.split("\n");
  const [parley = "", ...words] = request.split(" ");
  // Standard signatures, of which there may be several, contain a comma. Names of headers do not.
  const standard = words.filter((word) => word.includes(",")).join(" ");
  const customHeaders = words.filter((word) => !word.includes(","));
  const redacted = Object.fromEntries(customHeaders.map((name) => [name, redactedValue]));
  const [dns, connect, tls, firstByte] = timings.split(" ").map((ms) => (ms === "" ? null : Number(ms)));
  return {
    url,
    requestHeaders: {
      ...redacted,
      ...deliveryHeaders(delivery, [parley, standard], delivery.attemptedAt.getTime()),
    },
    responseHeaders:
      response.length === 0 ? null : Object.fromEntries(response.filter(Boolean).map(nameAndValue)),
    addresses: addresses.split(" ").filter(Boolean),
    timings: [dns ?? null, connect ?? null, tls ?? null, firstByte ?? null],
  };
}

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1)];
}
