/** Histogram of the durations of attempts. The table `delivery_counts` has a column for each bucket. */

/** Upper bounds of the buckets in milliseconds, inclusive. The last bucket includes longer durations. */
export const bucketBounds = [
  1, 2, 3, 6, 10, 18, 30, 60, 100, 180, 300, 600, 1_000, 1_800, 3_000, 6_000, 10_000, 18_000, 30_000, 60_000,
];

/** Columns of the buckets in `delivery_counts`. */
export const bucketColumns: string[] = bucketBounds.map((bound) => `up_to_${bound}_ms`);

/** Returns the index of a duration's bucket. */
export function bucketOf(durationMs: number): number {
  const index = bucketBounds.findIndex((bound) => durationMs <= bound);
  return index === -1 ? bucketBounds.length - 1 : index;
}

/**
 * Estimates a percentile from the number of durations in each bucket, as if they were evenly distributed within it.
 *
 * @param share for example 0.95
 * @returns milliseconds, rounded; null without durations
 */
export function percentileOf(counts: number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let remaining = total * share;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && remaining <= count) {
      const [from, to] = [bucketBounds[index - 1] ?? 0, bucketBounds[index] ?? 0];
      return Math.round(from + (to - from) * (remaining / count));
    }
    remaining -= count;
  }
  return null;
}
