import { type Database, Prisma } from "@parley/database";
import { bucketColumns, percentileOf } from "./duration-buckets.ts";

/** Attempts of an hour. */
export interface HourOfDeliveries {
  /** Start of the hour. */
  hour: Date;
  delivered: number;
  /** Attempts that are retried. */
  failed: number;
  /** Attempts that are not retried. */
  exhausted: number;
}

/** Estimated durations of the attempts with a response in milliseconds; null if there are none. */
export interface Durations {
  p50: number | null;
  p95: number | null;
}

export interface SubscriptionStatistics extends Durations {
  subscriptionId: string;
  /** Hours with attempts, in order. */
  hours: HourOfDeliveries[];
}

export interface DeliveryStatistics extends Durations {
  /** Subscriptions with attempts. */
  subscriptions: SubscriptionStatistics[];
}

interface StatisticsFilter {
  organizationId: string;
  /** The hour of this time is the first one. */
  from: Date;
  /** End of the hours' starts, exclusive. */
  until: Date;
  subscriptionId?: string | undefined;
}

interface Row {
  subscriptionId: string;
  /** Hours since 1970, and their counts, as texts of arrays: PostgreSQL and Node.js convert these in a fraction of the time of rows. */
  hours: string;
  delivered: string;
  failed: string;
  exhausted: string;
  /** Number of attempts in each bucket, as numbers separated by spaces. */
  durations: string;
}

/** Returns the exact number of attempts of an organization's subscriptions by hour, without tests, and estimates of their durations. */
export async function deliveryStatistics(
  db: Pick<Database, "select">,
  organizationId: string,
  { from, until, subscriptionId }: Omit<StatisticsFilter, "organizationId">,
): Promise<DeliveryStatistics> {
  const isWanted =
    subscriptionId === undefined ? Prisma.sql`true` : Prisma.sql`id::text = ${subscriptionId.toLowerCase()}`;
  // All subscriptions in one scan, because those of an hour are on the same pages.
  const rows = await db.select<Row>(Prisma.sql`
    SELECT subscription_id AS "subscriptionId", array_agg(date_part('epoch', hour)::int / 3600)::text AS hours,
           array_agg(delivered)::text AS delivered, array_agg(failed)::text AS failed, array_agg(exhausted)::text AS exhausted,
           ${sums} AS durations
    FROM delivery_counts
    WHERE subscription_id = ANY (ARRAY(
        SELECT id FROM subscriptions WHERE organization_id = ${organizationId}::uuid AND ${isWanted}))
      -- PostgreSQL would assume that a range with parameters has few rows, and read them one by one.
      AND hour >= date_trunc('hour', ${from}::timestamptz, 'UTC') AND hour + interval '0' < ${until}::timestamptz
    GROUP BY subscription_id ORDER BY subscription_id`);
  const durations = rows.map((row) => row.durations.split(" ").map(Number));
  const total = bucketColumns.map((_, bucket) =>
    durations.reduce((sum, counts) => sum + (counts[bucket] ?? 0), 0),
  );
  return {
    ...percentiles(total),
    subscriptions: rows.map((row, index) => ({
      subscriptionId: row.subscriptionId,
      ...percentiles(durations[index] ?? []),
      hours: hoursOf(row),
    })),
  };
}

const hourMs = 3_600_000;

const sums = Prisma.raw(`concat_ws(' ', ${bucketColumns.map((column) => `sum(${column})`).join(", ")})`);

function percentiles(counts: number[]): Durations {
  return { p50: percentileOf(counts, 0.5), p95: percentileOf(counts, 0.95) };
}

function hoursOf(row: Row): HourOfDeliveries[] {
  const [delivered = [], failed = [], exhausted = []] = [row.delivered, row.failed, row.exhausted].map(
    numbers,
  );
  const hours = numbers(row.hours);
  const inOrder = Int32Array.from(hours.keys()).sort((a, b) => (hours[a] ?? 0) - (hours[b] ?? 0));
  return Array.from(inOrder, (index) => ({
    hour: new Date((hours[index] ?? 0) * hourMs),
    delivered: delivered[index] ?? 0,
    failed: failed[index] ?? 0,
    exhausted: exhausted[index] ?? 0,
  }));
}

/** Reads the text of an array: `{1,2}`. */
function numbers(array: string): number[] {
  return array.slice(1, -1).split(",").map(Number);
}
