import { checkResponse } from "./conformance.ts";
import { findOperation } from "./routes.ts";

export { checkEvent } from "./conformance.ts";
export { platformFolders } from "./platform-folders.ts";

/** `fetch` that checks responses, returned by {@link conformingFetch}. */
export interface ConformingFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Operations and statuses of the responses so far, for example `listLeads 200`; `unknown 404` for an unknown route. */
  readonly exercised: Set<string>;
}

/**
 * Returns a `fetch` that compares each response with the contract, except responses to HEAD.
 *
 * @param send - function that sends the requests. Default: the global `fetch` at the time of this call
 * @throws Error with the differences, if a response does not conform
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
    const problems = checkResponse({ method, path, status, contentType, headers, body });
    if (problems.length > 0) {
      throw new Error(
        `${method} ${path} ${status} does not conform to the contract:\n${problems.join("\n")}\n${body}`,
      );
    }
    exercised.add(`${findOperation(method, path)?.operationId ?? "unknown"} ${status}`);
    return response;
  }
  return Object.assign(fetchAndCheck, { exercised });
}
