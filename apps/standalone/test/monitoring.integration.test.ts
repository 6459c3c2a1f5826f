import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scrape } from "@parley/testing/scrape";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";
import {
  labelsByMetric,
  type Metrics,
  metricOf,
  monitoringFolder,
  ofTarget,
  selectorsOf,
  unknownIn,
} from "./queries.ts";

const dashboards = ["dashboards/api.json", "dashboards/deliveries.json"];
const guide = join(import.meta.dirname, "../../../docs/operating/metrics-and-traces.md");

let demo: Demo;
let metrics: Metrics;
beforeAll(async () => {
  demo = await startDemo({ METRICS_PORT: "0" });
  metrics = labelsByMetric(await scrape(demo.metricsUrl));
});
afterAll(() => demo.stop());

/** Returns the names of Parley's metrics that the server has, without duplicates for histograms. */
function served(): string[] {
  return [...new Set([...metrics.keys()].filter((name) => name.startsWith("parley_")).map(metricOf))].sort();
}

describe("npm start", () => {
  test("serves the metrics of the API, the worker and Node.js at one address", () => {
    for (const name of [
      "parley_http_requests_total",
      "parley_delivery_attempts_total",
      "nodejs_eventloop_lag_p99_seconds",
    ])
      expect([name, metrics.has(name)]).toEqual([name, true]);
  });

  test("shows the connections of both pools", async () => {
    const samples = await scrape(demo.metricsUrl);
    for (const pool of ["api", "worker"])
      expect(samples[`parley_database_pool_connections{pool="${pool}"}`]).toBeGreaterThan(0);
  });

  test("checks the API and the worker at /readyz", async () => {
    expect((await fetch(`${demo.metricsUrl}/readyz`)).status).toBe(200);
  });
});

test("docs/operating/metrics-and-traces.md has all metrics of Parley, with their labels", () => {
  const rows = [...readFileSync(guide, "utf8").matchAll(/^\| `(parley_\w+)` \|([^|]*)\|/gm)].map(
    ([, name = "", labels = ""]) => `${name} ${labels.replaceAll(/[`,]/g, "").trim()}`.trim(),
  );
  const labelsOf = (metric: string) =>
    [...metrics].find(([name]) => metricOf(name) === metric)?.[1] ?? new Set<string>();
  const expected = served().map((metric) => {
    const own = [...labelsOf(metric)].filter((label) => label !== "le" && !ofTarget.includes(label));
    return [metric, ...own.map((label) => label.replace("exported_", ""))].join(" ");
  });
  expect(rows.sort()).toEqual(expected);
});

function expressionsIn(file: string): string[] {
  const text = readFileSync(join(monitoringFolder, file), "utf8");
  return [...text.matchAll(/"expr": (".*")/g)].map(([, expression = ""]) => JSON.parse(expression) as string);
}

describe("the dashboards", () => {
  test.each(dashboards)("%s queries only metrics and labels that exist", (file) => {
    expect(expressionsIn(file).length).toBeGreaterThan(10);
    expect(expressionsIn(file).flatMap((expression) => unknownIn(expression, metrics))).toEqual([]);
  });

  test.each(dashboards)("%s has a title and a description for each panel", (file) => {
    const { panels } = JSON.parse(readFileSync(join(monitoringFolder, file), "utf8")) as {
      panels: { title: string; description: string }[];
    };
    expect(panels.filter(({ title, description }) => !title || !description)).toEqual([]);
  });

  test("show all metrics of Parley", () => {
    const shown = dashboards.flatMap(expressionsIn).flatMap(selectorsOf);
    const names = new Set(shown.map(({ name }) => metricOf(name)));
    expect(served().filter((name) => !names.has(name))).toEqual([]);
  });

  test("cannot contain an unknown metric or label, because the test finds it", () => {
    const find = (expression: string) => unknownIn(expression, metrics);
    expect(find("sum(rate(parley_http_request_total[5m]))")).toEqual(["parley_http_request_total"]);
    expect(find('parley_http_requests_total{route="x"}')).toEqual(["parley_http_requests_total{route}"]);
    expect(find("sum by (route) (parley_http_requests_total)")).toEqual(["route"]);
  });
});
