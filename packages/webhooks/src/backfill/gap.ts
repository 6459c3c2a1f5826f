/**
 * The gap of a subscription: the events that it skipped since `gap_from`, because it was failed, disabled or being filled. Each is a row of
 * `skipped_events`, which `recordEvents` writes instead of a delivery.
 */
import { type Database, Prisma, type Subscription, type Transaction } from "@parley/database";
import { placeOf } from "../publish/ordering.ts";
import { matchesRoute } from "../publish/routes.ts";

type Gap = Pick<Subscription, "id" | "gapFrom">;

/** Returns whether the gap can be filled. Without filling, a subscription in order may have received later events of a record. */
export function canFillGap({
  status,
  enabled,
  ordering,
  fillingGap,
}: Pick<Subscription, "status" | "enabled" | "ordering" | "fillingGap">): boolean {
  return status === "failed" || !enabled || ordering === null || fillingGap;
}

/** Returns whether all events that were skipped since the beginning of the gap are stored. */
export function isGapComplete({
  gapFrom,
  gapBrokenAt,
}: Pick<Subscription, "gapFrom" | "gapBrokenAt">): boolean {
  return gapFrom === null || gapBrokenAt === null || gapBrokenAt < gapFrom;
}

/** Returns the number of events in the gap, at most `most`. */
export async function countSkipped(
  db: Pick<Database, "$queryRaw">,
  { id, gapFrom }: Gap,
  most: number,
): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM skipped_events WHERE subscription_id = ${id}::uuid AND gap_from = ${gapFrom}::timestamptz
      LIMIT ${most}) AS counted`;
  return row.count;
}

/** Result of `fillPiece`. */
export interface Piece {
  /** Number of events that left the gap. Events that no longer match the subscription, or are no longer stored, get no delivery. */
  taken: number;
  deliveries: number;
}

/**
 * Creates the deliveries of the first events of the gap. Holds no lock of the subscription.
 *
 * @param tx a change: the options of the subscription don't change at the same time
 * @param most maximum number of events
 */
export async function fillPiece(
  tx: Transaction,
  { id, gapFrom, ordering }: Gap & Pick<Subscription, "ordering">,
  most: number,
): Promise<Piece> {
  // The row locks prevent remove-old-events.ts from removing these events at the same time.
  const [piece] = await tx.$queryRaw<[Piece]>`
    WITH piece AS (
      DELETE FROM skipped_events
      WHERE subscription_id = ${id}::uuid AND gap_from = ${gapFrom}::timestamptz AND sequence = ANY (ARRAY(
        SELECT sequence FROM skipped_events
        WHERE subscription_id = ${id}::uuid AND gap_from = ${gapFrom}::timestamptz ORDER BY sequence LIMIT ${most}))
      RETURNING event_id
    ), created AS (
      INSERT INTO deliveries (organization_id, subscription_id, event_id, record_key, sequence)
      SELECT e.organization_id, ${id}::uuid, e.id, ${placeOf(ordering)}
      FROM piece JOIN events e ON e.id = piece.event_id
      JOIN subscription_routes route ON route.subscription_id = ${id}::uuid AND ${Prisma.raw(matchesRoute("e", "e.body::jsonb"))}
      ORDER BY e.sequence
      FOR KEY SHARE OF e
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM piece) AS taken, (SELECT count(*)::int FROM created) AS deliveries`;
  return piece;
}
