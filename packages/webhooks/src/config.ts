import { integer } from "@parley/database";
import { z } from "zod";

const key = z.string().refine((text) => Buffer.from(text, "base64").length === 32, {
  error: "must be 32 bytes in base64, for example from `openssl rand -base64 32`",
});

/** What processes share that create or read signing secrets. */
export const webhookVariables = {
  PARLEY_ENCRYPTION_KEY: key.describe(
    "Encrypts signing secrets at rest; 32 bytes in base64. Losing it loses them.",
  ),
  WEBHOOKS_ALLOW_LOOPBACK: z
    .stringbool()
    .default(false)
    .describe(
      "Lets subscriptions and deliveries reach this machine, over http too. For trying things out only.",
    ),
};

/** The limits of the delivery worker. */
export const deliveryVariables = {
  DELIVERY_TIMEOUT_MS: integer(100, 60_000)
    .default(10_000)
    .describe("Time for one attempt, in milliseconds."),
  DELIVERY_CONNECT_TIMEOUT_MS: integer(100, 60_000)
    .default(5_000)
    .describe("Time to connect, in milliseconds."),
  DELIVERY_MAX_IN_FLIGHT: integer(1, 4_096).default(128).describe("Attempts at once, one worker."),
  DELIVERY_MAX_IN_FLIGHT_PER_SUBSCRIPTION: integer(1, 128)
    .default(8)
    .describe("Attempts at once, one subscription."),
  DELIVERY_MAX_ATTEMPTS: integer(1, 100)
    .default(5)
    .describe("Attempts after which one delivery is given up while others succeed."),
  DELIVERY_LOG_DAYS: integer(1, 3_650).default(30).describe("Days that the delivery log is kept."),
};
