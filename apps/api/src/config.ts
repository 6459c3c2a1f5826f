import { integer, logVariables, stopVariables } from "@parley/config";
import { databaseVariables, requestLogVariables } from "@parley/database";
import { monitoringVariables } from "@parley/monitoring";
import { attemptVariables, sourceVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";
import { brandVariables } from "./brand-variables.ts";
import { trustedProxies } from "./http/forwarded.ts";

const hashes = z
  .string()
  .transform((list) => list.split(",").map((hash) => hash.trim()))
  .refine((list) => list.every((hash) => /^[0-9a-f]{64}$/i.test(hash)), {
    error: "must be SHA-256 hashes in hex, separated by commas",
  })
  .transform((list) => list.map((hash) => Buffer.from(hash, "hex")));

/** Description of PLATFORM_KEY_HASHES. The default depends on the program. */
export const platformKeyHashes = {
  description: "SHA-256 hashes of the keys that your chatbot platform may use, in hex, separated by commas.",
  create: "npx parley-admin platform-key create",
  secret: true, // Secret, because an operator may set the key here instead of its hash.
};

/** Environment variables of the API server. Variables of a package are defined in that package. */
export const apiVariables = {
  HOST: z.string().default("127.0.0.1").meta({ description: "Address to listen on.", example: "0.0.0.0" }),
  PORT: integer(0, 65_535)
    .default(8080)
    .meta({ description: "Port to listen on; 0 picks a free one.", example: "8081" }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" })
    .transform((url) => url.replace(/\/+$/, ""))
    .refine(
      (url) => new URL(url).origin === url,
      "must have a scheme and a host, and no path, query or fragment",
    )
    .optional()
    .meta({
      description:
        "Public root address of the server, for example `https://parley.example.com`. If set, the pages accept forms only from this origin. Default: the address that the server listens on.",
      example: "https://parley.example.com",
    }),
  TRUST_PROXY: trustedProxies.default(false).meta({
    description:
      "Proxies whose `X-Forwarded-For` is trusted: `true` for one proxy, a number for several, or a comma-separated list of their addresses and ranges. Set it behind a proxy, but only if clients cannot bypass the proxy: failed sign-ins are counted per client address.",
    example: "true",
  }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a URL that begins with redis:// or rediss://" })
    .optional()
    .meta({
      description:
        "URL of a Redis server in which all processes share their counts of requests and failed sign-ins, `rediss://` with TLS. Default: each process counts separately.",
      example: "redis://127.0.0.1:6379",
      secret: true,
    }),
  ...logVariables,
  SHUTDOWN_DELAY_MS: integer(0, 600_000)
    .default(5_000)
    .describe(
      "Time during which the server still accepts requests after SIGTERM or SIGINT, in milliseconds. Meanwhile `GET /readyz` returns 503, so that load balancers send requests to other processes. Set a longer time than your load balancer needs to detect this, or 0 if you have no load balancer.",
    ),
  ...stopVariables,
  ...monitoringVariables,
  DATABASE_STATEMENT_TIMEOUT_MS: integer(0, 600_000)
    .default(15_000)
    .describe(
      "Timeout of a statement of the API, in milliseconds, so that no request uses a connection forever. 0 for none. A pooler ignores it: set the timeout there, for example `query_timeout` of PgBouncer. Redelivering a range has a separate timeout of 2 minutes.",
    ),
  MAX_REQUESTS_IN_FLIGHT: integer(0, 10_000)
    .default(200)
    .describe(
      "Maximum number of requests in flight of one process, if only one organization sends requests. From a quarter of it on, an organization with more than its share gets 503. 0 for no limit.",
    ),
  MAX_EVENT_LOOP_DELAY_MS: integer(0, 60_000)
    .default(100)
    .describe(
      "Mean delay of the event loop from which `MAX_REQUESTS_IN_FLIGHT` is lowered, in milliseconds. 0 never lowers it.",
    ),
  MAX_CONCURRENT_SEARCHES: integer(0, 1_000)
    .default(4)
    .describe(
      "Maximum number of searches of an organization that one process runs at the same time: lists with `q`, with an `offset` of 1,000 or more, or with two bounds of time, and pages of the console with filters. Others wait for up to 2 seconds, then get 429. 0 for no limit.",
    ),
  MAX_SUBSCRIPTIONS: integer(1, 10_000)
    .default(100)
    .describe("Maximum number of webhook subscriptions of an organization."),
  DOCS_CLIENT_ID: z
    .string()
    .regex(/^[a-z][\w-]{1,127}$/i, "must be a client ID or `off`")
    .default("off")
    .meta({
      description:
        "Client ID with which readers of the documentation sign in to send requests to this server (_Try it_). Register it with `--public` and the redirect URI `<PUBLIC_URL>/docs/signed-in`. `off` removes the buttons.",
      example: "parley_ci_docs",
    }),
  PLATFORM_KEY_HASHES: hashes.default([]).meta({
    ...platformKeyHashes,
    description: `${platformKeyHashes.description} Default: none, so the Platform API refuses every request.`,
  }),
  ...brandVariables,
  ...databaseVariables,
  ...requestLogVariables,
  ...webhookVariables,
  ...attemptVariables,
  ...sourceVariables,
};

export const apiConfig = z.object(apiVariables);
export type ApiConfig = z.infer<typeof apiConfig>;
