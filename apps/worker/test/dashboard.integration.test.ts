import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPool } from "@parley/database";
import { testServerUrl } from "@parley/database/testing";
import { expect, test } from "vitest";
import { createDeliveryMetrics } from "../src/metrics/delivery-metrics.ts";

const file = join(import.meta.dirname, "../../../docs/grafana-dashboard.json");

test("the dashboard queries all delivery metrics and no others", async () => {
  const db = createPool(testServerUrl(), { poolSize: 1 });
  const { registry } = createDeliveryMetrics(db);
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const asked = [...readFileSync(file, "utf8").matchAll(/\bparley_[a-z_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, ""),
  );
  expect(new Set(asked)).toEqual(new Set(names.filter((name) => name.startsWith("parley_"))));
  await db.end();
});
