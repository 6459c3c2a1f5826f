import type { Dispatcher } from "undici";
import { describeFailure } from "./describe-failure.ts";

/** What came of sending a delivery once. */
export interface AttemptResult {
  delivered: boolean;
  durationMs: number;
  statusCode: number | null;
  /** Why it was not delivered, in words; null when it was. */
  error: string | null;
  /** The first KiB of the answer; null when there was none. */
  responseBody: string | null;
  /** Milliseconds that the receiver asked to be left alone (`Retry-After`). */
  retryAfterMs: number | null;
  /** 410 Gone: the receiver wants nothing any more. */
  gone: boolean;
}

interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds for the whole attempt. */
  timeoutMs: number;
}

const keptBytes = 1024;
/** An answer is read this far, so that its connection can be used again; a longer one costs the connection. */
const readBytes = 64 * 1024;
/** Interim answers (status 1xx) that are let pass; whoever sends more would keep the worker's CPU busy. */
const maxInterim = 16;

/**
 * Sends a delivery once. Every failure of the receiver or the network is a result.
 *
 * It listens to undici's own callbacks: a stream and an AbortSignal for each attempt cost a fifth of the worker's CPU.
 *
 * @throws TypeError if the URL is not valid
 */
export function attempt(client: Dispatcher, request: AttemptRequest): Promise<AttemptResult> {
  const { origin, pathname, search } = new URL(request.url);
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const answer = new Answer();
    let controller: Dispatcher.DispatchController | undefined;
    const timer = setTimeout(() => {
      const timeOut = tookTooLong();
      controller?.abort(timeOut);
      settle(timeOut); // It may not have a connection yet.
    }, request.timeoutMs);

    function settle(error: unknown): void {
      clearTimeout(timer);
      resolve(answer.result(error, request.timeoutMs, elapsed(startedAt)));
    }

    const { headers, body } = request;
    client.dispatch(
      { origin, path: pathname + search, method: "POST", headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (elapsed(startedAt) >= request.timeoutMs) started.abort(tookTooLong());
        },
        onResponseStart(_, statusCode, responseHeaders) {
          answer.start(statusCode, responseHeaders);
          if (answer.interim > maxInterim) {
            controller?.abort(Object.assign(new Error("too many"), { code: "INTERIM_ANSWERS" }));
          }
        },
        onResponseData(_, chunk) {
          if (answer.add(chunk) > readBytes) controller?.abort(new Error("the answer is too long"));
        },
        onResponseEnd: () => settle(null),
        onResponseError: (_, error) => settle(error),
      },
    );
  });
}

/** The result where nothing could be sent. @param error why, in words */
export function notSent(error: string): AttemptResult {
  const nothing = { statusCode: null, responseBody: null, retryAfterMs: null, gone: false };
  return { ...nothing, delivered: false, durationMs: 0, error };
}

function tookTooLong(): DOMException {
  return new DOMException("the attempt took too long", "TimeoutError");
}

/** What has come of the answer. Once the status has arrived the outcome is decided, however the body ends. */
class Answer {
  /** Interim answers so far. */
  interim = 0;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  #chunks: Buffer[] = [];
  #bytes = 0;

  start(statusCode: number, headers: Record<string, string | string[] | undefined>): void {
    if (statusCode < 200) {
      this.interim += 1;
      return;
    }
    this.#statusCode = statusCode;
    this.#retryAfterMs = retryAfter(headers["retry-after"], headers["date"]);
  }

  /** @returns bytes so far */
  add(chunk: Buffer): number {
    if (this.#bytes < keptBytes) this.#chunks.push(Buffer.from(chunk)); // undici uses its memory again.
    this.#bytes += chunk.length;
    return this.#bytes;
  }

  result(error: unknown, timeoutMs: number, durationMs: number): AttemptResult {
    const statusCode = this.#statusCode;
    const delivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const reason =
      statusCode === null ? describeFailure(error, timeoutMs) : `the receiver answered ${statusCode}`;
    return {
      delivered,
      statusCode,
      error: delivered ? null : storable(reason),
      retryAfterMs: this.#retryAfterMs,
      gone: statusCode === 410,
      responseBody: statusCode === null ? null : this.#text(),
      durationMs,
    };
  }

  #text(): string {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    return storable(bytes?.subarray(0, keptBytes).toString("utf8") ?? "");
  }
}

/** PostgreSQL's text holds no NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

type Header = string | string[] | undefined;

/** RFC 9110 section 10.2.3: seconds or a date, which is one of the receiver's clock. */
function retryAfter(header: Header, date: Header): number | null {
  if (typeof header !== "string") return null;
  const now = typeof date === "string" ? Date.parse(date) : Number.NaN;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - (now || Date.now());
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
