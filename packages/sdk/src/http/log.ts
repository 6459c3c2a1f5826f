const levels = ["debug", "info", "warn", "error", "off"] as const;

/** Lowest level of the logged messages; `off` for none. */
export type LogLevel = (typeof levels)[number];

/** Logger of messages, for example `console` or a logger of pino. */
export interface Logger {
  /** Logs a message of the level `debug`. */
  readonly debug: (message: string) => void;
  /** Logs a message of the level `info`. */
  readonly info: (message: string) => void;
  /** Logs a message of the level `warn`. */
  readonly warn: (message: string) => void;
  /** Logs a message of the level `error`. */
  readonly error: (message: string) => void;
}

/**
 * Options for logging.
 *
 * @example
 * const logged = new Parley({
 *   baseUrl: "https://parley.example.com",
 *   accessToken: "parley_at_0",
 *   logger: console,
 *   logLevel: "debug",
 * });
 */
export interface LogOptions {
  /** Logger. Messages contain no token, secret, query or body. Default: nothing is logged. */
  readonly logger?: Logger | undefined;
  /**
   * Lowest level to log. `debug`: each attempt with method, path, status, duration and request ID. `info`: tokens that were
   * issued or refreshed. `warn`: retries with reason and delay. There are no messages of level `error`, because calls throw
   * errors. Default: `warn`.
   */
  readonly logLevel?: LogLevel | undefined;
}

/** Logs a message about a request, with its method and path. */
export type Log = (
  level: keyof Logger,
  request: { readonly method: string; readonly url: string },
  message: string,
) => void;

/** Returns the function that logs for a client. */
export function logOf({ logger, logLevel = "warn" }: LogOptions): Log {
  const logged: readonly LogLevel[] = levels.slice(levels.indexOf(logLevel));
  return (level, { method, url }, message) => {
    if (logged.includes(level)) logger?.[level](`parley: ${method} ${new URL(url).pathname}: ${message}`);
  };
}
