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

export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Milliseconds for the whole attempt. */
  timeoutMs: number;
}

const keptBytes = 1024;
/** An answer is read this far, so that its connection can be used again; a longer one costs the connection. */
const readBytes = 64 * 1024;

/** Sends a delivery once. It never throws: every failure is a result. */
export async function attempt(client: Dispatcher, request: AttemptRequest): Promise<AttemptResult> {
  const startedAt = performance.now();
  const { origin, pathname, search } = new URL(request.url);
  const signal = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await client.request({
      origin,
      path: pathname + search,
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal,
    });
    const delivered = response.statusCode >= 200 && response.statusCode < 300;
    return {
      delivered,
      statusCode: response.statusCode,
      error: delivered ? null : `the receiver answered ${response.statusCode}`,
      retryAfterMs: retryAfter(response.headers["retry-after"]),
      gone: response.statusCode === 410,
      responseBody: await firstBytes(response.body),
      durationMs: elapsed(startedAt),
    };
  } catch (error) {
    return {
      delivered: false,
      statusCode: null,
      error: describeFailure(error, request.timeoutMs),
      retryAfterMs: null,
      gone: false,
      responseBody: null,
      durationMs: elapsed(startedAt),
    };
  }
}

/** The status has arrived, so the outcome is decided: an answer that breaks off or drips is kept as far as it came. */
async function firstBytes(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < keptBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > readBytes) break;
    }
  } catch {
    // Kept as far as it came.
  }
  // PostgreSQL's text holds no NUL.
  return Buffer.concat(chunks).subarray(0, keptBytes).toString("utf8").replaceAll("\0", "\uFFFD");
}

/** RFC 9110 section 10.2.3: seconds or a date. */
function retryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== "string") return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
