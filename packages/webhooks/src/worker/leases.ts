import { NIL } from "uuid";
import type { SigningKey } from "../signing-key.ts";
import type { EncryptedSecrets } from "../signing-secret.ts";
import type { Statements } from "../statements.ts";
import { firstOfRecords } from "./ordered-deliveries.ts";

/** Lease of a subscription: until it is returned, only this worker sends to the subscription. */
export interface Lease extends EncryptedSecrets<Buffer> {
  subscriptionId: string;
  organizationId: string;
  targetUrl: string;
  /** Number of the subscription's values, to which attempts refer. */
  version: number;
  /** Encrypted headers of the subscription; null if there are none. */
  headers: Buffer | null;
  /** Maximum number of deliveries per second; null if there is none. */
  rateLimit: number | null;
  /** `record` if the events of each record are delivered in order. */
  ordering: "record" | null;
  /** Encrypted private keys of the organization, in the order in which they sign; empty without `public_key_signature`. */
  signingKeys: SigningKey<Buffer>[];
  /** Consecutive failures so far. */
  failureCount: number;
  /** Whether nothing was delivered since the last failure. Resuming resets the failure count, but not this value. */
  unproven: boolean;
  /** Whether it has a gap that is not filled, which ends when a delivery succeeds. */
  hasGap: boolean;
}

/** Leases the subscriptions that are active, enabled and not leased, and whose circuit is not open. */
export async function takeLeases(
  db: Statements,
  workerId: string,
  subscriptions: string[],
  now: Date,
): Promise<Lease[]> {
  const { rows } = await db.query<Omit<Lease, "signingKeys"> & { keys: StoredKey[] | null }>({
    name: "take-leases",
    text: `
      WITH free AS (
        SELECT subscription_id FROM subscription_queues
        WHERE subscription_id = ANY ($2::uuid[]) AND lease_worker IS NULL
          AND (circuit_open_until IS NULL OR circuit_open_until <= $3)
        FOR UPDATE SKIP LOCKED
      )
      UPDATE subscription_queues queue SET lease_worker = $1, leased_at = $3
      FROM free JOIN subscriptions s ON s.id = free.subscription_id
      WHERE queue.subscription_id = free.subscription_id AND s.status = 'active' AND s.enabled
      RETURNING s.id AS "subscriptionId", s.organization_id AS "organizationId", s.target_url AS "targetUrl", s.version,
                s.headers, s.rate_limit AS "rateLimit", s.ordering, s.secret, s.next_secret AS "nextSecret", s.next_secret_at AS "nextSecretAt",
                s.failure_count AS "failureCount", s.failure_reason IS NOT NULL AS unproven,
                s.gap_from IS NOT NULL AND NOT s.filling_gap AS "hasGap",
                CASE WHEN s.public_key_signature THEN (
                  SELECT json_agg(json_build_array(encode(private_key, 'hex'), 1000 * extract(epoch FROM signs_from)) ORDER BY signs_from)
                  FROM organization_signing_keys WHERE organization_id = s.organization_id
                ) END AS keys`,
    values: [workerId, subscriptions, now],
  });
  return rows.map(({ keys, ...lease }) => ({ ...lease, signingKeys: (keys ?? []).map(signingKeyOf) }));
}

/** Returns the organizations of subscriptions, by their ID. */
export async function findOrganizations(
  db: Statements,
  subscriptions: string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; organizationId: string }>({
    name: "find-organizations",
    text: 'SELECT id, organization_id AS "organizationId" FROM subscriptions WHERE id = ANY ($1::uuid[])',
    values: [subscriptions],
  });
  return new Map(rows.map(({ id, organizationId }) => [id, organizationId]));
}

/** Encrypted private key in hex, and the time from which it signs, in ms since 1970. */
type StoredKey = [privateKey: string, from: number];

function signingKeyOf([privateKey, from]: StoredKey): SigningKey<Buffer> {
  return { key: Buffer.from(privateKey, "hex"), from };
}

/**
 * Returns leases, so that any worker can take them.
 *
 * @returns the subscriptions that another transaction has locked, whose leases are not returned
 */
export async function returnLeases(
  db: Statements,
  workerId: string,
  subscriptions: string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "return-leases",
    text: `
      WITH unlocked AS (
        SELECT subscription_id FROM subscription_queues WHERE subscription_id = ANY ($2::uuid[]) AND lease_worker = $1
        FOR UPDATE SKIP LOCKED
      ), returned AS (
        UPDATE subscription_queues queue SET lease_worker = NULL
        FROM unlocked WHERE queue.subscription_id = unlocked.subscription_id
      )
      SELECT subscription_id AS id FROM subscription_queues
      WHERE subscription_id = ANY ($2::uuid[]) AND lease_worker = $1
        AND subscription_id NOT IN (SELECT subscription_id FROM unlocked)`,
    values: [workerId, subscriptions],
  });
  return rows.map(({ id }) => id);
}

/**
 * Finds subscriptions with pending deliveries that are not leased, least recently leased first. It skips through the index from one subscription to the next, so its cost
 * depends on the number of such subscriptions, not on the length of their queues.
 */
export async function findPendingSubscriptions(db: Statements, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "find-pending-subscriptions",
    text: `
      WITH RECURSIVE waiting AS (
        (SELECT subscription_id FROM deliveries ORDER BY subscription_id LIMIT 1)
        UNION ALL
        SELECT (SELECT d.subscription_id FROM deliveries d
                WHERE d.subscription_id > waiting.subscription_id ORDER BY d.subscription_id LIMIT 1)
        FROM waiting WHERE waiting.subscription_id IS NOT NULL
      )
      SELECT queue.subscription_id AS id
      FROM waiting JOIN subscription_queues queue USING (subscription_id)
      JOIN subscriptions s ON s.id = queue.subscription_id
      WHERE s.status = 'active' AND s.enabled AND queue.lease_worker IS NULL
        AND (queue.circuit_open_until IS NULL OR queue.circuit_open_until <= $1)
        AND CASE WHEN s.ordering IS NULL
          THEN EXISTS (SELECT 1 FROM deliveries d WHERE d.subscription_id = queue.subscription_id AND d.next_at <= $1)
          ELSE EXISTS (
            ${firstOfRecords("queue.subscription_id", `'${NIL}'`)} SELECT 1 FROM first WHERE next_at <= $1) END
      ORDER BY queue.leased_at NULLS FIRST
      LIMIT $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

const liveWorkers = `
  SELECT (classid::bigint << 32) | objid::bigint AS id FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Leases of all live workers together. */
export interface AllLeases {
  workers: number;
  leases: number;
}

/** Counts the live workers and their leases. Returns the subscriptions leased by workers that died or lost their session, since their session lock is gone. */
export async function readAllLeases(db: Statements): Promise<AllLeases & { abandoned: string[] }> {
  const { rows } = await db.query<AllLeases & { abandoned: string[] }>({
    name: "read-all-leases",
    text: `
      WITH live AS MATERIALIZED (${liveWorkers})
      SELECT (SELECT count(*) FROM live)::int AS workers,
             count(*) FILTER (WHERE lease_worker IN (SELECT id FROM live))::int AS leases,
             coalesce(array_agg(subscription_id::text) FILTER (WHERE lease_worker NOT IN (SELECT id FROM live)), '{}') AS abandoned
      FROM subscription_queues WHERE lease_worker IS NOT NULL`,
    values: [],
  });
  return rows[0] ?? { workers: 1, leases: 0, abandoned: [] };
}

/** Removes the leases whose worker is still gone. Leaves leases that another transaction has locked. */
export async function freeAbandonedLeases(db: Statements, subscriptions: string[]): Promise<void> {
  await db.query({
    name: "free-abandoned-leases",
    text: `
      WITH unlocked AS (
        SELECT subscription_id FROM subscription_queues
        WHERE subscription_id = ANY ($1::uuid[]) AND lease_worker NOT IN (${liveWorkers})
        FOR UPDATE SKIP LOCKED
      )
      UPDATE subscription_queues queue SET lease_worker = NULL
      FROM unlocked WHERE queue.subscription_id = unlocked.subscription_id`,
    values: [subscriptions],
  });
}
