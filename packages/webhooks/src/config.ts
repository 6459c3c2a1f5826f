import { integer, toggle } from "@parley/config";
import { z } from "zod";
import { type AddressRange, parseAddressRange } from "./delivery/address-ranges.ts";
import type { CircuitPolicy } from "./delivery/circuit-breaker.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

const createKey = "openssl rand -base64 32";
const key = z.string().regex(/^[A-Za-z0-9+/_-]{43}=?$/, "must be 32 bytes in base64");

const addressRanges = z
  .string()
  .regex(/^[\da-f:./, ]+$/i, "must be address ranges separated by commas")
  .transform((list, context): AddressRange[] => {
    try {
      return list.split(",").map((range) => parseAddressRange(range.trim()));
    } catch (error) {
      context.addIssue(`must be address ranges separated by commas: ${(error as Error).message}`);
      return z.NEVER;
    }
  });

/** What processes share that create or read signing secrets. */
export const webhookVariables = {
  PARLEY_ENCRYPTION_KEY: key.meta({
    description:
      "Encrypts signing secrets and stored answers to idempotency keys; 32 bytes in base64. If you lose this key, they cannot be recovered, and every subscription needs a new signing secret.",
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
        "Keys that may still open what was sealed with them, separated by commas. To change the key: add the new one here on every process, then swap the two; the worker seals anew what the old one sealed, and says so in its log. After a day the old one can go. Default: none.",
      create: createKey,
      secret: true,
    }),
  WEBHOOKS_ALLOW_LOOPBACK: toggle()
    .default(false)
    .describe(
      "Lets subscriptions and deliveries reach this machine, over http too. For trying things out only.",
    ),
  WEBHOOKS_ALLOW_ADDRESSES: addressRanges.default([]).meta({
    description:
      "Ranges that subscriptions and deliveries may reach though they are private, local or reserved, over https, separated by commas, for example `10.20.0.0/16,fd00:1::/32`. Default: none.",
    example: "10.20.0.0/16,fd00:1::/32",
  }),
};

/** Returns the secret box of a process's configuration. */
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

const pauses = z
  .string()
  .refine((list) => /^\d{1,5}(,\d{1,5})*$/.test(list) && list.split(",").every((s) => Number(s) <= 86_400), {
    error: "must be whole seconds from 0 to 86400, separated by commas",
  })
  .transform((list) => list.split(",").map(Number));

/** The operator's own webhook. */
export const noticeVariables = {
  NOTICE_URL: z
    .url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" })
    .optional()
    .meta({
      description:
        "A webhook of the operator, which is told when a subscription starts failing, fails and recovers. Default: none.",
      example: "https://alerts.example.com/parley",
      secret: true,
    }),
  NOTICE_SECRET: z.string().min(16, "must have 16 characters or more").optional().meta({
    description:
      "Signs the notices as deliveries are signed; needed with `NOTICE_URL`, 16 characters or more.",
    create: "openssl rand -hex 32",
    secret: true,
  }),
};

interface NoticeConfig {
  NOTICE_URL?: string | undefined;
  NOTICE_SECRET?: string | undefined;
}

/** The arguments of `refine` that ask for the secret of notices, also where other variables are wrong. */
export const noticesAreSigned: [(config: NoticeConfig) => boolean, object] = [
  ({ NOTICE_URL, NOTICE_SECRET }) => NOTICE_URL === undefined || NOTICE_SECRET !== undefined,
  { path: ["NOTICE_SECRET"], error: "is required with NOTICE_URL, and it is not set", when: () => true },
];

/** The limits of one attempt, which the API makes too, for tests. */
export const attemptVariables = {
  DELIVERY_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe("Time for one attempt, in milliseconds."),
  DELIVERY_CONNECT_TIMEOUT_MS: integer(100, 60_000)
    .default(5_000)
    .describe("Time to connect, in milliseconds."),
};

/** The limits of the delivery worker. */
export const deliveryVariables = {
  ...attemptVariables,
  DELIVERY_PAUSES: pauses
    .default([5, 60, 600, 3_600])
    .describe(
      "Seconds until a subscription is tried again after its first, second, … consecutive failure, separated by commas; each varies by up to 20 %. A delivery that fails while others succeed is repeated after the same times.",
    ),
  DELIVERY_MAX_FAILURES: integer(1, 100)
    .default(5)
    .describe("Consecutive failures after which a subscription is `failed`."),
  DELIVERY_MAX_RETRY_AFTER: integer(0, 86_400)
    .default(3_600)
    .describe("The longest `Retry-After` that is honoured, in seconds."),
  DELIVERY_MAX_IN_FLIGHT: integer(1, 4_096)
    .default(128)
    .describe("Attempts at once, one worker; one organization has half of them at most."),
  DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION: integer(1, 128)
    .default(8)
    .describe("Attempts at once, one subscription."),
  DELIVERY_MAX_ATTEMPTS: integer(1, 100)
    .default(5)
    .describe("Attempts after which one delivery is given up while others succeed."),
  DELIVERY_LOG_DAYS: integer(1, 3_650)
    .default(30)
    .describe("Days that the delivery log is kept, and events that no delivery needs."),
};

/** Share of a backoff by which it varies at random. */
const jitter = 0.2;

/** Returns the circuit breaker's policy of a process's configuration. */
export function circuitPolicy(config: {
  DELIVERY_PAUSES: number[];
  DELIVERY_MAX_FAILURES: number;
  DELIVERY_MAX_RETRY_AFTER: number;
}): CircuitPolicy {
  return {
    backoffMs: config.DELIVERY_PAUSES.map((seconds) => seconds * 1_000),
    jitter,
    maxFailures: config.DELIVERY_MAX_FAILURES,
    maxRetryAfterMs: config.DELIVERY_MAX_RETRY_AFTER * 1_000,
  };
}
