import { bucketColumns } from "./duration-buckets.ts";

const counters = ["delivered", "failed", "exhausted", ...bucketColumns];
const values = [
  ...["delivered", "failed", "exhausted"].map((outcome) => `outcome = '${outcome}'`),
  ...bucketColumns.map((_, bucket) => `bucket = ${bucket}`),
];

/**
 * Part of the statement that records results: adds the rows of `result` to `delivery_counts`. The results that the statement ignores are not
 * in `result`, so they are not counted.
 */
export const countResults = `counted AS (
        INSERT INTO delivery_counts AS c (subscription_id, organization_id, hour, ${counters.join(", ")})
        SELECT subscription_id, organization_id, date_trunc('hour', attempted_at, 'UTC') AS hour,
               ${values.map((value) => `count(*) FILTER (WHERE ${value})`).join(", ")}
        FROM result GROUP BY subscription_id, organization_id, hour
        ON CONFLICT (subscription_id, hour) DO UPDATE
        SET ${counters.map((counter) => `${counter} = c.${counter} + excluded.${counter}`).join(", ")}
      )`;
