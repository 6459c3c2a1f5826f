import type { DiagLogger } from "@opentelemetry/api";
import type { Logger } from "pino";

const longestText = 300;
const quietMs = 60_000;

/** Logs problems of the exporter, at most one a minute, so that an unavailable collector does not fill the log. */
export function reportExportProblems(log: Pick<Logger, "warn">): DiagLogger {
  let quietUntil = 0;
  let suppressed = 0;
  function report(problem: string): void {
    if (Date.now() < quietUntil) {
      suppressed += 1;
      return;
    }
    log.warn({ problem: textOf(problem).slice(0, longestText), suppressed }, "traces not exported");
    quietUntil = Date.now() + quietMs;
    suppressed = 0;
  }
  const ignore = () => undefined;
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

/** Returns the message of an error that the SDK has serialized to JSON, without its stack. */
function textOf(problem: string): string {
  try {
    const { message } = JSON.parse(problem) as { message?: unknown };
    return typeof message === "string" ? message : problem;
  } catch {
    return problem;
  }
}
