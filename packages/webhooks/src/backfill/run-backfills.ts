import {
  type ChangeOptions,
  type Database,
  isDatabaseUnavailable,
  type Subscription,
  type Transaction,
} from "@parley/database";
import type { Logger } from "../logger.ts";
import type { Publisher } from "../publish/publisher.ts";
import { type Repeated, repeat } from "../repeat.ts";
import { fillPiece } from "./gap.ts";
import { redeliverPiece } from "./redelivery.ts";

interface BackfillOptions {
  records: Database;
  publisher: Publisher;
  /** Maximum number of pending deliveries of an organization; 0 for no limit. */
  maxPending: number;
  log: Logger;
  /** Called after each failure. */
  failed?: () => void;
  /** Time between two looks for work, in milliseconds. Default: 1 second. */
  everyMs?: number;
}

/** Maximum number of events of a gap that one transaction moves. */
const mostInPiece = 1_000;
/** A subscription gets more deliveries until it has this many pending ones. A worker sends them in a few seconds. */
const enoughPending = 10_000;
/** The last piece keeps other changes of the organization waiting, so it does not wait long for them. */
const longestWaitMs = 250;
const pauseAfterFailureMs = 60_000;
/** Class of these advisory locks; an arbitrary number. */
const lockClass = 20_240_103;

/** A subscription with deliveries to create. */
type Open = Pick<Subscription, "id" | "organizationId">;

/**
 * Creates the deliveries of gaps that are being filled and of redeliveries, until stopped. Both may be millions, so they are created piece by piece in
 * short transactions, and a subscription gets no more while it has many pending ones. Several workers may run it: each piece is created by one.
 */
export function startBackfills(options: BackfillOptions): Repeated {
  const pausedUntil = new Map<string, number>();
  return repeat(
    (stopping) => runBackfills(options, pausedUntil, stopping),
    options.everyMs ?? 1_000,
    (error) => {
      options.failed?.();
      options.log.error({ err: error }, "reading gaps and redeliveries failed; retrying in a second");
    },
  );
}

/**
 * Creates deliveries until each subscription has enough pending ones, or nothing is left. The organizations take turns.
 *
 * @param pausedUntil time until which each subscription pauses after a failure, ms since 1970
 */
export async function runBackfills(
  options: BackfillOptions,
  pausedUntil = new Map<string, number>(),
  stopping?: AbortSignal,
): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const open = await findOpen(options.records);
    const ready = open.filter(({ id }) => !done.has(id) && Date.now() >= (pausedUntil.get(id) ?? 0));
    const turns = new Map(ready.map((one) => [one.organizationId, one]));
    if (turns.size === 0) return;
    for (const one of turns.values()) {
      if (stopping?.aborted) return;
      if (!(await tryPiece(options, one, pausedUntil))) done.add(one.id);
    }
  }
}

/** Returns the active subscriptions with a gap that is being filled, or an unfinished redelivery. */
function findOpen(db: Database): Promise<Open[]> {
  return db.$queryRaw<Open[]>`
    SELECT id, organization_id AS "organizationId" FROM subscriptions
    WHERE status = 'active' AND enabled
      AND id IN (SELECT id FROM subscriptions WHERE filling_gap
                 UNION ALL SELECT subscription_id FROM redeliveries WHERE finished_at IS NULL)
    ORDER BY id DESC`;
}

/** Creates a piece. A failure does not keep others from running. @returns whether the subscription may get more now */
async function tryPiece(
  options: BackfillOptions,
  one: Open,
  pausedUntil: Map<string, number>,
): Promise<boolean> {
  try {
    const next = await createPiece(options, one);
    pausedUntil.delete(one.id);
    if (next !== "rest") return next === "more";
    return (await createPiece(options, one, { exclusive: true, longestWaitMs })) === "more";
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false; // For example, another transaction holds a lock: at the next run.
    options.failed?.();
    pausedUntil.set(one.id, Date.now() + pauseAfterFailureMs);
    options.log.error(
      { err: error, subscription: one.id },
      "creating deliveries failed; retrying in a minute",
    );
    return false;
  }
}

/** What follows a piece: more, nothing now, or the rest of the gap, during which no event may be skipped. */
type Next = "more" | "enough" | "rest";

/** Creates a piece of a subscription's gap or, if it has none, of its oldest redelivery. */
function createPiece(
  { publisher, maxPending }: BackfillOptions,
  { id, organizationId }: Open,
  exclusivity: ChangeOptions = {},
): Promise<Next> {
  return publisher.change(
    organizationId,
    async ({ tx, notifyPending }) => {
      if (!(await takeTurn(tx, id))) return "enough";
      const subscription = await tx.subscription.findFirst({
        where: { id, status: "active", enabled: true },
      });
      const most = await mostToCreate(tx, id, maxPending);
      if (!subscription || most <= 0) return "enough";
      const { deliveries, next } = subscription.fillingGap
        ? await continueGap(tx, subscription, Math.min(mostInPiece, most), exclusivity)
        : await continueRedelivery(tx, subscription);
      if (deliveries > 0) notifyPending(id);
      return next;
    },
    exclusivity,
  );
}

/** Makes sure that only this worker creates a piece for the subscription. Waits only briefly for rows that other transactions hold. */
async function takeTurn(tx: Transaction, id: string): Promise<boolean> {
  const [turn] = await tx.$queryRaw<[{ isMine: boolean }]>`
    SELECT pg_try_advisory_xact_lock(${lockClass}::int, hashtext(${id})) AS "isMine",
           set_config('lock_timeout', ${`${longestWaitMs}ms`}, true)`;
  return turn.isMine;
}

/**
 * Returns how many deliveries may be created until the subscription has enough: `enoughPending`, or less if the maximum number of subscriptions would
 * reach half of the organization's limit with them.
 */
async function mostToCreate(tx: Transaction, id: string, maxPending: number): Promise<number> {
  const enough = maxPending === 0 ? enoughPending : Math.min(enoughPending, Math.ceil(maxPending / 200));
  const [row] = await tx.$queryRaw<[{ pending: number }]>`
    SELECT count(*)::int AS pending FROM (
      SELECT FROM deliveries WHERE subscription_id = ${id}::uuid LIMIT ${enough}) AS counted`;
  return enough - row.pending;
}

interface Created {
  deliveries: number;
  next: Next;
}

/** Fills a piece of the gap. With its last events, if no event can be skipped at the same time, ends the gap. */
async function continueGap(
  tx: Transaction,
  subscription: Subscription,
  most: number,
  { exclusive }: ChangeOptions,
): Promise<Created> {
  const { taken, deliveries } = await fillPiece(tx, subscription, most);
  if (taken === most) return { deliveries, next: "more" };
  if (!exclusive) return { deliveries, next: "rest" };
  // If it just failed, its pending deliveries may already be skipped events of this gap, so the gap goes on.
  const { count } = await tx.subscription.updateMany({
    where: { id: subscription.id, status: "active" },
    data: { gapFrom: null, fillingGap: false },
  });
  return { deliveries, next: count === 0 ? "enough" : "more" };
}

async function continueRedelivery(tx: Transaction, { id, ordering }: Subscription): Promise<Created> {
  const redelivery = await tx.redelivery.findFirst({
    where: { subscriptionId: id, finishedAt: null },
    orderBy: { id: "asc" },
  });
  if (!redelivery) return { deliveries: 0, next: "enough" };
  return { deliveries: await redeliverPiece(tx, redelivery, ordering), next: "more" };
}
