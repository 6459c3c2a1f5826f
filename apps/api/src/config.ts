import { integer, logVariables, stopVariables } from "@parley/config";
import { databaseVariables } from "@parley/database";
import { attemptVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";
import { trustedProxies } from "./http/forwarded.ts";

const hashes = z
  .string()
  .transform((list) => list.split(",").map((hash) => hash.trim()))
  .refine((list) => list.every((hash) => /^[0-9a-f]{64}$/i.test(hash)), {
    error: "must be SHA-256 hashes in hex, separated by commas",
  })
  .transform((list) => list.map((hash) => Buffer.from(hash, "hex")));

/** Of the chatbot platform's keys; what the default is depends on the program. */
export const platformKeyHashes = {
  description: "SHA-256 of each key that the chatbot platform may use, in hex, separated by commas.",
  create: "npx parley-admin platform-key create",
  secret: true, // Who confuses the two puts a key here.
};

/** The variables of the API server: each is named here or in the package whose concern it is, with unit and default. */
export const apiVariables = {
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  PORT: integer(0, 65_535).default(8080).describe("Port to listen on; 0 picks a free one."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" })
    .transform((url) => url.replace(/\/+$/, ""))
    .refine((url) => new URL(url).origin === url, "must be scheme and host, without path, query and fragment")
    .optional()
    .meta({
      description:
        "Root address under which clients reach the server, for example `https://parley.example.com`. If set, the pages accept forms from this origin only. Default: the address listened on.",
      example: "https://parley.example.com",
    }),
  TRUST_PROXY: trustedProxies.default(false).meta({
    description:
      "Whose `X-Forwarded-For` is believed: `true` behind one proxy, a number behind several, or the proxies' addresses and ranges separated by commas. Set it behind a proxy, and only where nobody reaches the server past it: failed sign-ins are counted by address.",
    example: "true",
  }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a URL that begins with redis:// or rediss://" })
    .optional()
    .meta({
      description:
        "Counts rate limits and failed sign-ins for all processes together. Default: each process counts for itself.",
      example: "redis://127.0.0.1:6379",
      secret: true,
    }),
  ...logVariables,
  SHUTDOWN_DELAY_MS: integer(0, 600_000)
    .default(5_000)
    .describe(
      "How long the server still accepts requests after SIGTERM or SIGINT, in milliseconds. Meanwhile `GET /readyz` returns 503, so that load balancers send requests elsewhere. Set it longer than your load balancer needs to notice this, or to 0 if you have none.",
    ),
  ...stopVariables,
  MAX_SUBSCRIPTIONS: integer(1, 10_000)
    .default(100)
    .describe("Webhook subscriptions an organization may have."),
  PLATFORM_KEY_HASHES: hashes.default([]).meta({
    ...platformKeyHashes,
    description: `${platformKeyHashes.description} Default: none, so the Platform API refuses every request.`,
  }),
  ...databaseVariables,
  ...webhookVariables,
  ...attemptVariables,
};

export const apiConfig = z.object(apiVariables);
export type ApiConfig = z.infer<typeof apiConfig>;
