import type { Dispatcher } from "undici";
import { type Connection, type ConnectionSlot, connectingFor } from "./connections.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Body } from "./sign.ts";

/** Result of one attempt to send a delivery. */
export interface AttemptResult {
  delivered: boolean;
  durationMs: number;
  statusCode: number | null;
  /** Reason of the failure; null if delivered. */
  error: string | null;
  /** First KiB of the response body; null without a response. */
  responseBody: string | null;
  /** Headers of the response without those of the connection, a line `name:value` for each, up to 1 KiB; null without a response. */
  responseHeaders: string | null;
  /** Time until the response began, in milliseconds; null without a response. */
  firstByteMs: number | null;
  /** Connection that the attempt made or tried to make; null if it used an open one. */
  connection: Connection | null;
  /** `Retry-After` of the response in milliseconds; null without one. */
  retryAfterMs: number | null;
  /** Whether the receiver responded with 410 Gone, which means that it wants no more deliveries. */
  gone: boolean;
}

interface AttemptRequest {
  url: string;
  /** Default: `POST`. */
  method?: "POST" | "HEAD";
  headers: Record<string, string>;
  body: Body;
  /** Timeout of the whole attempt, in milliseconds. */
  timeoutMs: number;
  /** Whether the request may be sent, asked when there is a connection. Default: yes. */
  maySend?: () => boolean;
}

const storedBytes = 1024;
/**
 * Maximum number of response bytes that are read so that the connection can be reused. After a longer response, the
 * connection is closed.
 */
const readBytes = 64 * 1024;
/** Maximum number of interim responses (status 1xx). Endless interim responses would keep the worker's CPU busy. */
const maxInterim = 16;

/**
 * Sends a delivery once. Failures of the receiver or the network are returned as results. Uses undici's dispatch callbacks,
 * because a stream and an AbortSignal for each attempt cost a fifth of the worker's CPU.
 *
 * @returns the result; null if `maySend` forbade it
 * @throws TypeError if the URL is not valid
 */
export function attempt(
  client: Dispatcher,
  request: AttemptRequest & { maySend: () => boolean },
): Promise<AttemptResult | null>;
export function attempt(
  client: Dispatcher,
  request: AttemptRequest & { maySend?: never },
): Promise<AttemptResult>;
export function attempt(client: Dispatcher, request: AttemptRequest): Promise<AttemptResult | null> {
  const { origin, pathname, search } = new URL(request.url);
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const response = new ResponseCollector(startedAt);
    const slot: ConnectionSlot = { connection: null };
    let controller: Dispatcher.DispatchController | undefined;
    let isForbidden = false;
    const timer = setTimeout(() => {
      const timeOut = tookTooLong();
      controller?.abort(timeOut);
      settle(timeOut); // abort() has no effect before there is a connection.
    }, request.timeoutMs);

    function settle(error: unknown): void {
      clearTimeout(timer);
      resolve(isForbidden ? null : response.result(error, request.timeoutMs, slot.connection));
    }

    const { method = "POST", headers, body } = request;
    const options = { origin, path: pathname + search, method, headers, body };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (elapsed(startedAt) >= request.timeoutMs) started.abort(tookTooLong());
        else if (request.maySend?.() === false) {
          isForbidden = true;
          started.abort(new Error("not sent"));
        }
      },
      onResponseStart(_, statusCode, responseHeaders) {
        response.start(statusCode, responseHeaders);
        if (response.interim > maxInterim) {
          const error = new Error("too many interim responses");
          controller?.abort(Object.assign(error, { code: "INTERIM_RESPONSES" }));
        }
      },
      onResponseData(_, chunk) {
        if (response.add(chunk) > readBytes) controller?.abort(new Error("the response is too long"));
      },
      onResponseEnd: () => settle(null),
      onResponseError: (_, error) => settle(error),
    };
    connectingFor(slot, () => client.dispatch(options, handler));
  });
}

/** Returns the result of an attempt that could not be sent. @param error reason */
export function notSent(error: string): AttemptResult {
  const response = { statusCode: null, responseBody: null, responseHeaders: null, retryAfterMs: null };
  const nothing = { ...response, firstByteMs: null, connection: null, gone: false };
  return { ...nothing, delivered: false, durationMs: 0, error };
}

function tookTooLong(): DOMException {
  return new DOMException("the attempt took too long", "TimeoutError");
}

/** Collects a response. The status decides the outcome, however the body ends. */
class ResponseCollector {
  /** Number of interim responses so far. */
  interim = 0;
  readonly #startedAt: number;
  #firstByteMs: number | null = null;
  #headers: string | null = null;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @param startedAt start of the attempt; ms of the monotonic clock */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  start(statusCode: number, headers: Record<string, string | string[] | undefined>): void {
    if (statusCode < 200) {
      this.interim += 1;
      return;
    }
    this.#statusCode = statusCode;
    this.#firstByteMs = elapsed(this.#startedAt);
    this.#headers = shortened(headers);
    if (isSuccess(statusCode)) return;
    this.#retryAfterMs = retryAfter(headers["retry-after"], headers["date"]);
  }

  /** Adds a chunk of the body; returns the bytes so far. */
  add(chunk: Buffer): number {
    if (this.#bytes < storedBytes) this.#chunks.push(Buffer.from(chunk)); // Copied, because undici reuses the memory.
    this.#bytes += chunk.length;
    return this.#bytes;
  }

  result(error: unknown, timeoutMs: number, connection: Connection | null): AttemptResult {
    const statusCode = this.#statusCode;
    const delivered = statusCode !== null && isSuccess(statusCode);
    const reason =
      statusCode === null ? describeFailure(error, timeoutMs) : `the receiver responded with ${statusCode}`;
    return {
      delivered,
      statusCode,
      error: delivered ? null : storable(reason),
      retryAfterMs: this.#retryAfterMs,
      gone: statusCode === 410,
      responseBody: statusCode === null ? null : this.#text(),
      responseHeaders: this.#headers,
      firstByteMs: this.#firstByteMs,
      connection,
      durationMs: elapsed(this.#startedAt),
    };
  }

  #text(): string {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    if (!bytes || bytes.length <= storedBytes) return storable(bytes?.toString("utf8") ?? "");
    // With `stream`, the decoder leaves out a character that is cut off at the end.
    return storable(new TextDecoder().decode(bytes.subarray(0, storedBytes), { stream: true }));
  }
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Fields that describe the connection and not the response (RFC 9110, section 7.6.1). */
const connectionFields = new Set(["connection", "keep-alive", "transfer-encoding"]);

/**
 * Returns a line `name:value` for each header, as many as fit in 1 KiB, without fields of the connection. HTTP allows no control characters in
 * them.
 */
function shortened(headers: Record<string, string | string[] | undefined>): string {
  let lines = "";
  for (const name in headers) {
    if (connectionFields.has(name)) continue;
    const value = headers[name];
    const line = `${name}:${typeof value === "string" ? value : (value?.join(", ") ?? "")}`;
    if (lines.length + line.length >= storedBytes) continue;
    lines += lines === "" ? line : `\n${line}`;
  }
  return lines;
}

/** Replaces NUL, which PostgreSQL's text cannot store. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

type Header = string | string[] | undefined;

/** Parses `Retry-After`, RFC 9110 section 10.2.3: seconds, or a date by the receiver's clock. Returns milliseconds. */
function retryAfter(header: Header, date: Header): number | null {
  if (typeof header !== "string") return null;
  const now = typeof date === "string" ? Date.parse(date) : Number.NaN;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - (now || Date.now());
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
