/**
 * What the log stores of the connection and the response of an attempt, in addition to the columns. The request is derived, see
 * sent-request.ts; only its public-key signature and its trace context are stored.
 */
import type { AttemptResult } from "../delivery/attempt.ts";
import type { Signatures } from "../delivery/sign.ts";

/** Connection and response of an attempt. */
export interface Exchange {
  addresses: string[];
  /** Durations in milliseconds of DNS, connecting, TLS, and from the start to the first byte of the response. */
  timings: [dns: number | null, connect: number | null, tls: number | null, firstByte: number | null];
  /** Public-key signature in `webhook-signature`; empty if there is none. */
  publicKeySignature: string;
  /** Header `traceparent` of the request; null if it had none. */
  traceparent: string | null;
  /** Null without a response. */
  responseHeaders: Record<string, string> | null;
}

/**
 * Returns the text for the log: lines with the addresses, the timings and the public-key signature, then the response headers. Values of a line are
 * separated by spaces; a missing one is empty. The line of the timings ends with the trace context, if there is one.
 */
export function storedExchange(
  [, standard]: Signatures,
  { responseHeaders, firstByteMs, connection }: AttemptResult,
  traceparent: string | null = null,
): string {
  const timings = connection
    ? `${connection.dnsMs ?? ""} ${connection.connectMs ?? ""} ${connection.tlsMs ?? ""}`
    : "  ";
  const response = responseHeaders === null ? "" : `\n${responseHeaders}`;
  const publicKeySignature = standard.split(" ", 2)[1] ?? "";
  const trace = traceparent === null ? "" : ` ${traceparent}`;
  return `${connection?.addresses.join(" ") ?? ""}\n${timings} ${firstByteMs ?? ""}${trace}\n${publicKeySignature}${response}`;
}

/** Reads the text of an attempt from the log. */
export function readExchange(text: string): Exchange {
  const [addresses = "", timings = "", publicKeySignature = "", ...response] = text.split("\n");
  const [, , , , traceparent = null] = timings.split(" ");
  const [dns, connect, tls, firstByte] = timings.split(" ").map((ms) => (ms === "" ? null : Number(ms)));
  return {
    addresses: addresses.split(" ").filter(Boolean),
    timings: [dns ?? null, connect ?? null, tls ?? null, firstByte ?? null],
    publicKeySignature,
    traceparent,
    responseHeaders:
      response.length === 0 ? null : Object.fromEntries(response.filter(Boolean).map(nameAndValue)),
  };
}

function nameAndValue(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1)];
}
