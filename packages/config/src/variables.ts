import { z } from "zod";

declare module "zod" {
  /** What people read about an environment variable, next to its meaning in `description`. */
  interface GlobalMeta {
    /** A value that works. A default is one already. */
    example?: string;
    /** The command that makes a value, where an example would be copied by everyone. */
    create?: string;
    /** Its value is a secret or may contain one, so no message shows it. */
    secret?: boolean;
  }
}

/** A whole number in decimal digits, within bounds. */
export function integer(min: number, max: number) {
  const words = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d+$/, words).transform(Number).pipe(z.number().min(min, words).max(max, words));
}

/** A switch: `true` or `false`. */
export function toggle() {
  return z.stringbool({ error: "must be true or false" });
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** What every process logs. */
export const logVariables = {
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` })
    .default("info")
    .describe("Least severe level that is logged, as JSON lines on standard output."),
};

/** How every process stops. */
export const stopVariables = {
  SHUTDOWN_TIMEOUT_MS: integer(0, 3_600_000)
    .default(30_000)
    .describe(
      "Longest time from SIGTERM or SIGINT to the end of the process, in milliseconds. Requests and deliveries that are still in progress then are cut off. Let your supervisor wait longer before it kills the process. A second signal ends the process at once.",
    ),
};
