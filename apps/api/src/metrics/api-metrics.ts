import { description, operationTable } from "@parley/contract";
import type { Database } from "@parley/database";
import { observePool } from "@parley/monitoring/pool-metrics";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { RequestBufferObserver } from "../http/request-buffer.ts";
import type { CallerCacheObserver } from "../modules/oauth/access-tokens/caller-cache.ts";

/** Request after its response. */
interface ObservedRequest {
  /** Operation of the contract, `other` for other routes, or `unknown_path`. */
  operation: string;
  status: number;
  /** Code of the error that the response has; undefined for other responses. */
  error: string | undefined;
  durationMs: number;
}

/** Metrics of the API. */
export interface ApiMetrics {
  requestStarted: () => void;
  requestEnded: (request: ObservedRequest) => void;
  tokenCache: CallerCacheObserver;
  requestLog: RequestBufferObserver;
  /** Requests refused because the server is overloaded, or because too many searches of the organization run. */
  refused: (reason: "overload" | "searches") => void;
}

const errorCodes = new Set(
  [description.components.schemas.ApiError, description.components.schemas.OAuthError].flatMap(
    ({ properties }): string[] => properties.error["x-extensible-enum"],
  ),
);

/** Adds the metrics of the API to a registry. The contract bounds the number of label values. */
export function createApiMetrics(registry: Registry, db: Database): ApiMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "parley_http_requests_total",
    help: "Requests by operation of the contract and status. Requests that the client aborted have the status 499.",
    labelNames: ["operation", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its response, by operation.",
    labelNames: ["operation"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const errors = new Counter({
    name: "parley_http_errors_total",
    help: "Responses with an error, by the error code of their body.",
    labelNames: ["error"],
    registers,
  });
  const inFlight = new Gauge({
    name: "parley_http_requests_in_flight",
    help: "Requests of this process whose response has not ended.",
    registers,
  });
  const refused = new Counter({
    name: "parley_http_requests_refused_total",
    help: "Requests refused to protect the server: overload (503), searches (too many of one organization, 429).",
    labelNames: ["reason"],
    registers,
  });
  const lookups = new Counter({
    name: "parley_token_cache_lookups_total",
    help: "Lookups of access tokens: hit (found in the cache), miss (read from the database).",
    labelNames: ["result"],
    registers,
  });
  const cached = new Gauge({ name: "parley_token_cache_entries", help: "Cached access tokens.", registers });
  const logEntries = new Counter({
    name: "parley_request_log_entries_total",
    help: "Entries of the request log: written, dropped (the database was unavailable or too slow).",
    labelNames: ["result"],
    registers,
  });
  // Counters start at 0, so that `rate` includes the first increment.
  for (const { operationId, successStatus } of operationTable) {
    requests.inc({ operation: operationId, status: successStatus }, 0);
    duration.zero({ operation: operationId });
  }
  for (const error of errorCodes) errors.inc({ error }, 0);
  for (const reason of ["overload", "searches"]) refused.inc({ reason }, 0);
  for (const result of ["hit", "miss"]) lookups.inc({ result }, 0);
  for (const result of ["written", "dropped"]) logEntries.inc({ result }, 0);
  observePool(registry, "api", db.pool());

  return {
    requestStarted: () => inFlight.inc(),
    requestEnded({ operation, status, error, durationMs }) {
      inFlight.dec();
      requests.inc({ operation, status });
      duration.observe({ operation }, durationMs / 1_000);
      if (error !== undefined) errors.inc({ error });
    },
    refused: (reason) => refused.inc({ reason }),
    tokenCache: {
      looked: (result) => lookups.inc({ result }),
      resized: (entries) => cached.set(entries),
    },
    requestLog: {
      written: (count) => logEntries.inc({ result: "written" }, count),
      dropped: (count) => logEntries.inc({ result: "dropped" }, count),
    },
  };
}
