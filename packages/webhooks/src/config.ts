import { isIP } from "node:net";
import { integer, toggle } from "@parley/config";
import { z } from "zod";
import { type AddressRange, parseAddressRange } from "./delivery/address-ranges.ts";
import type { CircuitPolicy } from "./delivery/circuit-breaker.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

const createKey = "openssl rand -base64 32";
const key = z.string().regex(/^[A-Za-z0-9+/_-]{43}=?$/, "must be 32 bytes in base64");

/** Returns the schema of a list of address ranges. */
function rangeList<Item>(parse: (range: string) => Item) {
  return z
    .string()
    .regex(/^[\da-f:./, ]+$/i, "must be address ranges separated by commas")
    .transform((list, context): Item[] => {
      try {
        return list.split(",").map((range) => parse(range.trim()));
      } catch (error) {
        context.addIssue(`must be address ranges separated by commas: ${(error as Error).message}`);
        return z.NEVER;
      }
    });
}

const addressRanges = rangeList<AddressRange>(parseAddressRange);

const sourceAddresses = rangeList((text) => {
  const { start, bits } = parseAddressRange(withPrefixLength(text));
  return `${start.toString()}/${bits}`;
});

/** Returns a single address as a range. */
function withPrefixLength(address: string): string {
  const bits = { 0: "", 4: "/32", 6: "/128" }[isIP(address)];
  return address + bits;
}

/** Variables of the API about the senders of deliveries. */
export const sourceVariables = {
  WEBHOOK_SOURCE_ADDRESSES: sourceAddresses.default([]).meta({
    description:
      "Public addresses from which workers and API processes send deliveries, separated by commas, for example `203.0.113.16/28,2001:db8:10::/64`. `GET /api/v1/webhooks/source-addresses` returns them, so that receivers can allow them in a firewall. Default: none.",
    example: "203.0.113.16/28,2001:db8:10::/64",
  }),
};

/** Variables of all processes that create or read signing secrets. */
export const webhookVariables = {
  PARLEY_ENCRYPTION_KEY: key.meta({
    description:
      "Key that encrypts signing secrets, headers of subscriptions, signing keys and stored responses; 32 bytes in base64. If you lose it, they cannot be recovered: you must rotate the secret of every subscription and the signing key of every organization, and set the headers again.",
    create: createKey,
    secret: true,
  }),
  PARLEY_ENCRYPTION_KEYS_OLD: z
    .string()
    .transform((list) => list.split(",").map((text) => text.trim()))
    .pipe(z.array(key))
    .default([])
    .meta({
      description:
        "Additional keys for decryption only, separated by commas. To change the key: add the new key here for every process, then swap the two. The worker re-encrypts the secrets and logs when it is done. One day later, remove the old key. Default: none.",
      create: createKey,
      secret: true,
    }),
  WEBHOOKS_ALLOW_LOOPBACK: toggle()
    .default(false)
    .describe(
      "Whether target URLs on this machine are allowed, with http or https. For local development only.",
    ),
  WEBHOOKS_ALLOW_ADDRESSES: addressRanges.default([]).meta({
    description:
      "Private, local or reserved address ranges that target URLs may use, with https, separated by commas, for example `10.20.0.0/16,fd00:1::/32`. Default: none.",
    example: "10.20.0.0/16,fd00:1::/32",
  }),
};

/** Creates the secret box from the configuration of a process. */
export function configuredSecretBox(config: {
  PARLEY_ENCRYPTION_KEY: string;
  PARLEY_ENCRYPTION_KEYS_OLD: string[];
}): SecretBox {
  const bytes = (text: string) => Buffer.from(text, "base64");
  return createSecretBox(
    bytes(config.PARLEY_ENCRYPTION_KEY),
    config.PARLEY_ENCRYPTION_KEYS_OLD.map((text) => bytes(text)),
  );
}

const backoffs = z
  .string()
  .refine((list) => /^\d{1,5}(,\d{1,5})*$/.test(list) && list.split(",").every((s) => Number(s) <= 86_400), {
    error: "must be whole seconds from 0 to 86400, separated by commas",
  })
  .transform((list) => list.split(",").map(Number));

/** Variables of the operator's webhook. */
export const noticeVariables = {
  NOTICE_URL: z
    .url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" })
    .optional()
    .meta({
      description:
        "URL that receives a notice when a subscription starts failing, fails or recovers. Default: none.",
      example: "https://alerts.example.com/parley",
      secret: true,
    }),
  NOTICE_SECRET: z.string().min(16, "must have at least 16 characters").optional().meta({
    description:
      "Signs the notices in the same way as deliveries; at least 16 characters. Required with `NOTICE_URL`.",
    create: "openssl rand -hex 32",
    secret: true,
  }),
};

interface NoticeConfig {
  NOTICE_URL?: string | undefined;
  NOTICE_SECRET?: string | undefined;
}

/** Arguments for `refine` that require the secret of notices, even if other variables are invalid. */
export const noticesAreSigned: [(config: NoticeConfig) => boolean, object] = [
  ({ NOTICE_URL, NOTICE_SECRET }) => NOTICE_URL === undefined || NOTICE_SECRET !== undefined,
  { path: ["NOTICE_SECRET"], error: "is required with NOTICE_URL, and it is not set", when: () => true },
];

/** Limits of an attempt, for workers and for the API, which sends test deliveries. */
export const attemptVariables = {
  DELIVERY_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe("Timeout of an attempt, in milliseconds."),
  DELIVERY_CONNECT_TIMEOUT_MS: integer(100, 60_000)
    .default(5_000)
    .describe("Timeout for connecting, in milliseconds."),
};

/** Limits of the delivery worker. */
export const deliveryVariables = {
  ...attemptVariables,
  MAX_PENDING_DELIVERIES: integer(0, 1_000_000_000)
    .default(1_000_000)
    .describe(
      "Maximum number of pending deliveries of an organization. If it is exceeded, the subscription with the most of them becomes `failed`, and they become part of its gap. Gaps have as many events at most. Checked every minute. 0 for no limit.",
    ),
  DELIVERY_BACKOFF: backoffs.default([5, 60, 600, 3_600]).meta({
    description:
      "Backoff after the first, second, … consecutive failure of a subscription, in seconds, separated by commas. Each backoff varies by up to 20 %. A delivery that fails while other deliveries succeed is retried with the same backoff.",
    example: "10,60,300,1800,7200",
  }),
  DELIVERY_MAX_FAILURES: integer(1, 100)
    .default(5)
    .describe("Number of consecutive failures after which a subscription becomes `failed`."),
  DELIVERY_MAX_RETRY_AFTER: integer(0, 86_400)
    .default(3_600)
    .describe("Longest time to wait for a `Retry-After` of a receiver, in seconds."),
  DELIVERY_MAX_IN_FLIGHT: integer(1, 4_096).default(128).meta({
    description:
      "Maximum number of concurrent attempts of a worker. One organization uses at most half of them.",
    example: "512",
  }),
  DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION: integer(1, 128)
    .default(8)
    .describe("Maximum number of concurrent attempts of a subscription."),
  DELIVERY_MAX_ATTEMPTS: integer(1, 100)
    .default(5)
    .describe(
      "Number of attempts after which a delivery is `exhausted` if other deliveries to the same receiver succeed.",
    ),
  MAX_STORED_EVENTS: integer(0, 1_000_000_000)
    .default(10_000_000)
    .describe(
      "Maximum number of stored events of an organization. If it is exceeded, the oldest ones without pending deliveries are removed before their retention ends. Checked every hour. 0 for no limit.",
    ),
  DELIVERY_LOG_DAYS: integer(1, 3_650)
    .default(30)
    .describe("Retention of the delivery log, and of events without pending deliveries, in days."),
};

/** Random variation of a backoff, as a fraction of it. */
const jitter = 0.2;

/** Returns the policy of circuit breakers from the configuration of a process. */
export function circuitPolicy(config: {
  DELIVERY_BACKOFF: number[];
  DELIVERY_MAX_FAILURES: number;
  DELIVERY_MAX_RETRY_AFTER: number;
}): CircuitPolicy {
  return {
    backoffMs: config.DELIVERY_BACKOFF.map((seconds) => seconds * 1_000),
    jitter,
    maxFailures: config.DELIVERY_MAX_FAILURES,
    maxRetryAfterMs: config.DELIVERY_MAX_RETRY_AFTER * 1_000,
  };
}
