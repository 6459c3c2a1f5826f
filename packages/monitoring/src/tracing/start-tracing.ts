import { isTracingOn } from "./is-tracing-on.ts";
import type { Tracing } from "./tracing.ts";

interface TracingOptions {
  /** Name of the service, unless OTEL_SERVICE_NAME is set. */
  serviceName: string;
  /** Severity of the log lines about spans that could not be exported. */
  logLevel: string;
}

/** Starts exporting traces if the environment switches them on; otherwise resolves to undefined and loads nothing. */
export async function startTracing(
  options: TracingOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Tracing | undefined> {
  if (!isTracingOn(environment)) return undefined;
  const { startOpenTelemetry } = await import("./open-telemetry.ts"); // Loaded here because it is large.
  return startOpenTelemetry(options);
}
