import * as examples from "../generated/examples.ts";
import type { operations } from "../generated/schema.ts";
import type { Fetch } from "../http/exchange.ts";
import type { SuccessOf } from "../types.ts";
import { exampleOf } from "./example-of.ts";
import { merged } from "./merge.ts";
import type { OperationId, Overrides } from "./responses.ts";

/** Request that a {@link FakeFetch} received. */
export interface FakeCall {
  /** ID of the operation in the API reference. */
  readonly operation: OperationId;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Values of the path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query of the URL. */
  readonly query: URLSearchParams;
  /** Headers of the request, with the access token. */
  readonly headers: Headers;
  /** JSON of the body; undefined without a body. */
  readonly body: unknown;
}

/** Response to an operation: values that override its example, a `Response`, or a function that returns either. */
export type FakeResponse<Id extends OperationId> =
  | Overrides<SuccessOf<operations[Id]>>
  | Response
  | ((call: FakeCall) => AnyFakeResponse<Id> | Promise<AnyFakeResponse<Id>>);

type AnyFakeResponse<Id extends OperationId> = Overrides<SuccessOf<operations[Id]>> | Response;

/**
 * Responses by operation ID. An array contains the responses to consecutive calls; the last one is repeated. A list has one
 * page: a request with `cursor` gets an empty page, unless a function or the next response of an array responds.
 */
export type FakeResponses = {
  readonly [Id in OperationId]?: FakeResponse<Id> | readonly FakeResponse<Id>[];
};

/** `fetch` that answers like the API, without a server. */
export interface FakeFetch extends Fetch {
  /** Requests that it received, oldest first. */
  readonly calls: readonly FakeCall[];
}

type Operation = (typeof examples.operations)[string];

/** Operations, those without parameters in the path first: `/events/samples` before `/events/{id}`. */
const routes: readonly (readonly [string, Operation])[] = /* @__PURE__ */ Object.entries(
  examples.operations,
).sort(([, a], [, b]) => a.path.split("{").length - b.path.split("{").length);

/**
 * Returns a `fetch` that answers each operation with its example in the API reference, and records the calls. It
 * does not validate requests.
 *
 * @param responses - responses that differ from the examples, by operation ID
 *
 * @example
 * const fetch = fakeFetch({ getLead: { data: { attributes: { score: 91 } } }, createTicket: errorResponse("invalid_request") });
 * const parley = new Parley({ baseUrl: "https://parley.example.com", accessToken: "parley_at_0", fetch });
 * console.log((await parley.leads.get("lead-1")).data.attributes.score); // 91
 * console.log(fetch.calls[0]?.operation, fetch.calls[0]?.params); // getLead { id: 'lead-1' }
 */
export function fakeFetch(responses: FakeResponses = {}): FakeFetch {
  const calls: FakeCall[] = [];
  for (const operation of Object.keys(responses)) exampleOf(examples.operations, operation);

  async function fetch(request: Request): Promise<Response> {
    const call = await callOf(request);
    calls.push(call);
    const selected = select(responses[call.operation], call);
    const response: unknown = typeof selected === "function" ? await selected(call) : selected;
    if (response instanceof Response) return response.clone();
    const { status, body } = exampleOf(examples.operations, call.operation);
    const page = isLaterPage(call) ? merged(body, emptyPage) : body;
    const result = merged(merged(page, countOf(page, response)), response);
    await waitForEvents(call, result, request.signal);
    return Response.json(result, { status, headers: { "x-request-id": `fake-${calls.length}` } });
  }

  /** Returns the response for a call: for a later page of a list, only a function or the next response of an array. */
  function select(given: unknown, call: FakeCall): unknown {
    const repeated = isLaterPage(call) ? undefined : given;
    if (!Array.isArray(given)) return typeof given === "function" ? given : repeated;
    const count = calls.filter(({ operation }) => operation === call.operation).length;
    return given[count - 1] ?? (repeated && given.at(-1));
  }

  return Object.assign(fetch, { calls });
}

/** @throws TypeError if no operation has this method and path */
async function callOf(request: Request): Promise<FakeCall> {
  const { method, headers } = request;
  const url = new URL(request.url);
  for (const [operation, { method: expected, path }] of routes) {
    const params = method === expected && matchOf(path, url.pathname);
    if (!params) continue;
    const text = await request.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const { pathname, searchParams: query } = url;
    return { operation: operation as OperationId, method, path: pathname, params, query, headers, body };
  }
  throw new TypeError(`No operation has ${method} ${url.pathname}.`);
}

/** Returns the values of the path parameters; undefined if the path does not match. `baseUrl` may have a path too. */
function matchOf(template: string, path: string): Record<string, string> | undefined {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = new RegExp(`${template.replace(/\{\w+\}/g, "([^/]+)")}$`).exec(path)?.slice(1);
  return (
    values && Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]))
  );
}

/** Returns the counts for a list of records that replace the example. */
function countOf(page: unknown, response: unknown): unknown {
  const { data } = (response ?? {}) as { data?: unknown };
  const { meta = {} } = page as { meta?: object };
  if (!Array.isArray(data)) return undefined;
  const { length } = data;
  return { meta: { ...("count" in meta && { count: length }), ...("total" in meta && { total: length }) } };
}

const emptyPage = { data: [], meta: { count: 0 } };

/** Whether the call requests what follows the only page of a list. */
function isLaterPage({ method, query }: FakeCall): boolean {
  return method === "GET" && query.has("cursor");
}

/** Waits as the event feed does when there are no more events, so that a loop over it does not block the process. */
async function waitForEvents({ query }: FakeCall, body: unknown, signal: AbortSignal): Promise<void> {
  const seconds = Number(query.get("wait") ?? 0);
  if (!(seconds > 0) || (body as { data: unknown[] }).data.length > 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
