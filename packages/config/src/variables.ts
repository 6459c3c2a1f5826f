import { z } from "zod";

declare module "zod" {
  /** Documentation of an environment variable, in addition to `description`. */
  interface GlobalMeta {
    /** Valid value, for error messages. Default: the default of the variable. */
    example?: string;
    /** Command that creates a value, for secrets, because users might copy an example. */
    create?: string;
    /** Whether the value is or may contain a secret, so that no message shows it. */
    secret?: boolean;
  }
}

/** Returns the schema of an integer in decimal digits, within bounds. */
export function integer(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
}

/** Returns the schema of a Boolean, `true` or `false`. */
export function toggle() {
  return z.stringbool({ error: "must be true or false" });
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Logging variables of every process. */
export const logVariables = {
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .default("info")
    .meta({
      description: "Lowest severity that is logged, as JSON lines on standard output.",
      example: "warn",
    }),
};

/** Shutdown variables of every process. */
export const stopVariables = {
  SHUTDOWN_TIMEOUT_MS: integer(0, 3_600_000)
    .default(30_000)
    .describe(
      "Maximum time from SIGTERM or SIGINT to the end of the process, in milliseconds. Requests and deliveries that are still in progress after it are aborted. Configure your process manager to wait longer before it kills the process. A second signal ends the process immediately.",
    ),
};
