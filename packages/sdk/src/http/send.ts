import { errorFrom } from "../errors/error-from.ts";
import { createSender, type Transport } from "./transport.ts";

/** One request of JSON. */
export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request; resolves to the JSON of its answer. Redirects are not followed: a POST would turn into a GET, and a
 * token would go to an address nobody named.
 *
 * @param isExpected - whether a success is one: something in between may answer 200, too
 * @throws the {@link ParleyError} that the answer stands for. An unexpected one is quoted by its members' names alone:
 *   it may hold tokens.
 */
export async function send<Data>(
  { method, url, body, headers, signal }: JsonRequest,
  transport: Transport,
  isExpected: (body: unknown) => boolean,
): Promise<Data> {
  const json = body === undefined ? undefined : { "content-type": "application/json" };
  const request = new Request(url, {
    method,
    headers: { accept: "application/json", ...json, ...headers },
    body: json ? JSON.stringify(body) : null,
    redirect: "manual",
    signal: signal ?? null,
  });
  const { response, body: answer } = await createSender(transport)(request);
  if (response.ok && isExpected(answer)) return answer as Data;
  const quoted = response.ok && answer && typeof answer === "object" ? Object.keys(answer) : answer;
  throw errorFrom(response, quoted, transport.clock.now());
}
