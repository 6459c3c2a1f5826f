import { checkAnswer } from "./conformance.ts";
import { findOperation } from "./routes.ts";

export { checkEvent } from "./conformance.ts";
export { platformFolders } from "./platform-folders.ts";

export interface ConformingFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** What was answered so far: `listLeads 200`, …; `unknown 404` outside the contract. */
  readonly exercised: Set<string>;
}

/**
 * A `fetch` that compares every answer with the contract.
 *
 * @param send sends the requests: the global `fetch` of now, also when this one takes its place later
 * @throws Error that lists what does not conform, instead of returning the answer
 */
export function conformingFetch(send: typeof fetch = fetch): ConformingFetch {
  const exercised = new Set<string>();
  async function fetchAndCheck(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, { redirect: "manual", ...init });
    const { method } = request;
    const path = new URL(request.url).pathname;
    const response = await send(request);
    if (method === "HEAD") return response;
    const body = await response.clone().text();
    const contentType = response.headers.get("content-type");
    const { status, headers } = response;
    const problems = checkAnswer({ method, path, status, contentType, headers, body });
    if (problems.length > 0) {
      throw new Error(`${method} ${path} ${status} breaks the contract:\n${problems.join("\n")}\n${body}`);
    }
    exercised.add(`${findOperation(method, path)?.operationId ?? "unknown"} ${status}`);
    return response;
  }
  return Object.assign(fetchAndCheck, { exercised });
}
