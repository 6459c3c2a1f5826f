import type { Registry } from "prom-client";
import { type Check, serveMonitoring } from "./monitoring-server.ts";

interface MonitoringConfig {
  METRICS_PORT?: number | undefined;
  METRICS_HOST: string;
}

/** Metrics and health checks of a process. Its parts add their metrics and checks. */
export interface Monitoring {
  /** Null without METRICS_PORT, so that nothing is measured. */
  registry: Registry | null;
  /** Address of `/metrics` and the health checks; null without METRICS_PORT. */
  url: string | null;
  /** Adds a check to `GET /readyz`. */
  addCheck: (check: Check) => void;
  stop(): Promise<void>;
}

/** Starts serving metrics of Node.js and of the parts of the process. Without METRICS_PORT, serves and loads nothing. */
export async function startMonitoring(config: MonitoringConfig): Promise<Monitoring> {
  if (config.METRICS_PORT === undefined) {
    return { registry: null, url: null, addCheck: () => undefined, stop: async () => undefined };
  }
  const { collectDefaultMetrics, Registry } = await import("prom-client"); // Loaded here because it needs 15 MB.
  const registry = new Registry();
  const checks: Check[] = [];
  const server = await serveMonitoring(
    { registry, problem: () => firstProblem(checks) },
    config.METRICS_HOST,
    config.METRICS_PORT,
  );
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    url: server.url,
    addCheck: (check) => void checks.push(check),
    stop: () => server.stop(),
  };
}

async function firstProblem(checks: Check[]): Promise<string | null> {
  if (checks.length === 0) return "starting";
  for (const check of checks) {
    const problem = await check();
    if (problem !== null) return problem;
  }
  return null;
}
