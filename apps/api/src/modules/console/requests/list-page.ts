import { operationTable } from "@parley/contract";
import type { LoggedRequest, Position } from "@parley/database";
import { badge, type Content, field, filterForm, type Html, html, pager, table } from "@parley/ui";
import type { OperationRequest } from "../../../http/handlers.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { requestsAddress } from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { pageLinks } from "../layout/cursor.ts";
import { timeFields, timeRange } from "../layout/filters.ts";
import { duration } from "../layout/numbers.ts";
import { searchResult } from "../layout/search-result.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";

type Query = OperationRequest<"showApiRequests">["query"];

interface Requests {
  requests: LoggedRequest[];
  /** Where the next page begins; null on the last. */
  next: Position | null;
  /** Names of the organization's clients by ID. */
  clientNames: Map<string, string>;
}

/** Paths of the API that log requests. */
const routes = [
  ...new Set(operationTable.flatMap(({ path }) => (/^\/api\/(?:v1|platform)/.test(path) ? [path] : []))),
].sort();
const statuses = new Map([
  ["", "All"],
  ["errors", "Errors"],
  ["2xx", "2xx"],
  ["4xx", "4xx"],
  ["429", "429 (rate limited)"],
  ["5xx", "5xx"],
]);
const methods = { "": "All", GET: "GET", POST: "POST", PUT: "PUT", PATCH: "PATCH", DELETE: "DELETE" };

/** Renders the log of API requests with its filters. */
export function requestsPage(
  session: ConsoleSession,
  query: Query,
  { requests, next, clientNames }: Requests,
): Page {
  const all = (values: Iterable<[string, string]>) => ({ "": "All", ...Object.fromEntries(values) });
  const filters = filterForm({ label: "Filter API requests", clear: requestsAddress }, [
    field({
      label: "X-Request-Id",
      name: "request_id",
      value: query.request_id ?? "",
      attributes: { maxlength: 128, autocomplete: "off", spellcheck: "false" },
    }),
    field({ label: "Response", name: "status", value: query.status ?? "", options: statuses }),
    field({ label: "Method", name: "method", value: query.method ?? "", options: methods }),
    field({
      label: "Route",
      name: "route",
      value: query.route ?? "",
      options: all(routes.map((path) => [path, path])),
    }),
    field({ label: "App", name: "client_id", value: query.client_id ?? "", options: all(clientNames) }),
    ...timeFields(timeRange(query)),
  ]);
  const content = html`
${filters}
${searchResult(
  requests.length > 0
    ? table(
        "API requests, newest first",
        ["Time", "Request", "Response", "App", "Request ID"],
        requests.map((one) => row(one, clientNames)),
      )
    : undefined,
  {
    noun: "request",
    next,
    empty:
      "Requests appear here about a second after they were made, and are kept for 7 days unless the operator chose otherwise. Requests with an invalid token (401) or to an unknown path are not listed.",
  },
)}
${pager(pageLinks(requestsAddress, query, next))}`;
  return consolePage(session, { title: "API requests", content, section: requestsAddress });
}

function row(request: LoggedRequest, clientNames: Map<string, string>): Content[] {
  const { requestedAt: at, method, route, statusCode: status, durationMs, clientId, requestId } = request;
  return [
    logTime(at),
    html`<code class="nowrap">${method} ${route}</code>`,
    html`${statusBadge(status)} <span class="quiet nowrap">${duration(durationMs)}</span>${errorText(request)}`,
    clientId === null ? "Platform API" : html`<bdi>${clientNames.get(clientId) ?? clientId}</bdi>`,
    html`<code class="nowrap">${requestId}</code>`,
  ];
}

function statusBadge(status: number): Html {
  if (status >= 500) return badge(String(status), "alert");
  return status >= 400 ? badge(String(status), "warning") : badge(String(status), "good");
}

function errorText({ errorCode, errorDescription }: LoggedRequest): Html {
  if (errorCode === null) return html``;
  return html`<br><code>${errorCode}</code> ${errorDescription}`;
}
