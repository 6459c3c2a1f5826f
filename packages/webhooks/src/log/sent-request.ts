/** Derives the request of an attempt, so that the log need not store it. */
import type { Database, Subscription, Transaction } from "@parley/database";
import type { Pool } from "pg";
import { deliveryHeaders, sign } from "../delivery/sign.ts";
import type { SecretBox } from "../secret-box.ts";
import { signingSecrets } from "../signing-secret.ts";
import type { Exchange } from "./exchange.ts";

/** Values of a subscription that its requests depend on. */
type Version = Pick<
  Subscription,
  "version" | "targetUrl" | "headerNames" | "secret" | "nextSecret" | "nextSecretAt"
>;

/**
 * Keeps the values of a subscription before they change.
 *
 * @param before the locked subscription
 * @returns the column of its next version, which the change writes in the same transaction
 */
export async function keepVersion(tx: Transaction, before: Subscription): Promise<{ version: number }> {
  const { id: subscriptionId, organizationId, version, targetUrl, headerNames } = before;
  const { secret, nextSecret, nextSecretAt } = before;
  const secrets = { secret, nextSecret, nextSecretAt };
  await tx.subscriptionVersion.create({
    data: { organizationId, subscriptionId, version, targetUrl, headerNames, ...secrets },
  });
  return { version: version + 1 };
}

/** Returns the values of a subscription in these versions, as far as they are stored. */
export async function readVersions(
  db: Pick<Database, "subscriptionVersion">,
  subscription: Subscription,
  versions: number[],
): Promise<Map<number, Version>> {
  const where = { subscriptionId: subscription.id, version: { in: versions } };
  const earlier = await db.subscriptionVersion.findMany({ where });
  return new Map([...earlier, subscription].map((version) => [version.version, version]));
}

/** Removes the values that were replaced before the log begins. @returns number of removed versions */
export async function removeOldVersions(db: Pool, keepDays: number): Promise<number> {
  const { rowCount } = await db.query(
    "DELETE FROM subscription_versions WHERE replaced_at < now() - make_interval(days => $1::int + 1)",
    [keepDays],
  );
  return rowCount ?? 0;
}

interface SentDelivery {
  organizationId: string;
  deliveryId: string;
  eventType: string;
  redelivery: boolean;
  attemptedAt: Date;
  /** Null if the event is no longer stored. */
  body: string | null;
}

/** Shown instead of the value of a custom header. */
const redactedValue = "[redacted]";

/**
 * Returns the URL and the headers of an attempt. Values of custom headers are redacted. The signatures are missing if the body is no
 * longer stored, or no key decrypts the secret.
 *
 * @param stored parts of the request that the log stores
 */
export function sentRequest(
  delivery: SentDelivery,
  version: Version,
  secretBox: SecretBox,
  { publicKeySignature, traceparent }: Pick<Exchange, "publicKeySignature" | "traceparent">,
): { url: string; headers: Record<string, string> } {
  const { attemptedAt, body } = delivery;
  const custom = Object.fromEntries(version.headerNames.map((name) => [name, redactedValue]));
  const secret = body === null ? null : secretAt(delivery, version, secretBox);
  const now = attemptedAt.getTime();
  const [parley, standard] =
    body !== null && secret !== null ? sign({ ...delivery, body }, secret, now) : ["", ""];
  const all = [standard, publicKeySignature].filter(Boolean).join(" ");
  const headers: Record<string, string> = { ...custom, ...deliveryHeaders(delivery, [parley, all], now) };
  if (traceparent !== null) headers["traceparent"] = traceparent;
  const known = Object.entries(headers).filter(([, value]) => value !== "");
  return { url: version.targetUrl, headers: Object.fromEntries(known) };
}

function secretAt(
  { attemptedAt, organizationId }: SentDelivery,
  version: Version,
  secretBox: SecretBox,
): string | null {
  try {
    return secretBox.decrypt(signingSecrets(version, attemptedAt).current, organizationId);
  } catch {
    return null;
  }
}
