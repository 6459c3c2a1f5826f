import type { Schemas } from "@parley/contract";
import type { UsageRecord } from "@parley/database";

/** Converts a row to the usage record of the API. */
export function usageRecordResource(row: UsageRecord): Schemas["UsageRecord"] {
  return {
    id: row.id,
    type: "usage_record",
    attributes: {
      metric: row.metric as Schemas["UsageMetric"],
      quantity: row.quantity,
      occurred_at: row.occurredAt.toISOString(),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    },
  };
}
