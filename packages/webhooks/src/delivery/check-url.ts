import type { Dispatcher } from "undici";
import { attempt } from "./attempt.ts";

/** Whether a server responded, and what to do next. */
export interface UrlCheck {
  reachable: boolean;
  text: string;
}

/**
 * Checks whether the server of a URL can be reached, with a HEAD request without data. Never throws for a URL that `targetUrlProblem` accepts.
 *
 * @param timeoutMs timeout of the request
 */
export async function checkUrl(client: Dispatcher, url: string, timeoutMs: number): Promise<UrlCheck> {
  const headers = { "user-agent": "Parley-Webhooks/1" };
  const { statusCode, error, durationMs } = await attempt(client, {
    url,
    method: "HEAD",
    headers,
    body: "",
    timeoutMs,
  });
  if (statusCode === null) return { reachable: false, text: `The URL cannot be reached. ${error}.` };
  const next = "Send a test event to see how it responds to a delivery.";
  return {
    reachable: true,
    text: `The server can be reached. It responded to HEAD with ${statusCode} after ${durationMs} ms. ${next}`,
  };
}
