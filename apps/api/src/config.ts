import { databaseVariables, integer, logVariables } from "@parley/database";
import { attemptVariables, webhookVariables } from "@parley/webhooks";
import { z } from "zod";
import { trustedProxies } from "./http/forwarded.ts";

const hashes = z
  .string()
  .transform((list) => list.split(",").map((hash) => hash.trim()))
  .refine((list) => list.every((hash) => /^[0-9a-f]{64}$/i.test(hash)), {
    error:
      'must be SHA-256 hashes in hex, separated by commas, for example from `printf %s "$key" | openssl dgst -sha256 -r`',
  })
  .transform((list) => list.map((hash) => Buffer.from(hash, "hex")));

/** The variables of the API server: each is named here or in the package whose concern it is, with unit and default. */
export const apiVariables = {
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  PORT: integer(0, 65_535).default(8080).describe("Port to listen on; 0 picks a free one."),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .refine((url) => new URL(url).origin === url, "must be scheme and host, without path, query and fragment")
    .optional()
    .describe(
      "Root address under which clients reach the server, for example `https://parley.example.com`. If set, the pages accept forms from this origin only. Default: the address listened on.",
    ),
  TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      "Whose `X-Forwarded-For` is believed: `true` behind one proxy, a number behind several, or the proxies' addresses and ranges separated by commas. Set it behind a proxy, and only where nobody reaches the server past it: failed sign-ins are counted by address.",
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      "Counts rate limits and failed sign-ins for all processes together. Default: each process counts for itself.",
    ),
  ...logVariables,
  MAX_SUBSCRIPTIONS: integer(1, 10_000)
    .default(100)
    .describe("Webhook subscriptions an organization may have."),
  PLATFORM_KEY_HASHES: hashes
    .default([])
    .describe(
      "SHA-256 of each key that the chatbot platform may use, in hex, separated by commas. Default: none, so its door is shut.",
    ),
  ...databaseVariables,
  ...webhookVariables,
  ...attemptVariables,
};

export const apiConfig = z.object(apiVariables);
export type ApiConfig = z.infer<typeof apiConfig>;
