import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scrape } from "@parley/testing/scrape";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Demo, startDemo } from "../src/testing/demo.ts";

const folder = join(import.meta.dirname, "../../../deploy/monitoring");
const dashboards = ["dashboards/api.json", "dashboards/deliveries.json"];
const read = (file: string) => readFileSync(join(folder, file), "utf8");

let demo: Demo;
/** Label names by metric. */
let metrics: Map<string, Set<string>>;
beforeAll(async () => {
  demo = await startDemo({ METRICS_PORT: "0" });
  metrics = labelsByMetric(await scrape(demo.metricsUrl));
});
afterAll(() => demo.stop());

/** Labels that Prometheus adds to every metric. */
const ofTarget = ["job", "instance"];
/** Prometheus sets this metric itself. */
const ofPrometheus = new Map([["up", new Set<string>()]]);

function labelsByMetric(samples: Record<string, number>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>(ofPrometheus);
  for (const sample of Object.keys(samples)) {
    const [name = "", labels = ""] = sample.split("{");
    const known = found.get(name) ?? new Set(ofTarget);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

/** Returns the metrics of an expression with the labels that it selects by. */
function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  const names = expression.matchAll(/\b((?:parley|nodejs|process)_\w+|up\b)(?:\{([^}]*)\})?/g);
  return [...names].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = ""]) => label),
  }));
}

/** Returns the labels that an expression groups by. */
function groupingsOf(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/));
}

/** Returns what is unknown in an expression. */
function unknownIn(expression: string): string[] {
  const selectors = selectorsOf(expression);
  const known = (name: string) => metrics.get(name) ?? new Set(ofTarget);
  const grouped = new Set(selectors.flatMap(({ name }) => [...known(name)]));
  return [
    ...selectors.filter(({ name }) => !metrics.has(name)).map(({ name }) => name),
    ...selectors.flatMap(({ name, labels }) =>
      labels
        .filter((label) => !known(name).has(label) && !ofTarget.includes(label))
        .map((label) => `${name}{${label}}`),
    ),
    ...groupingsOf(expression).filter((label) => !grouped.has(label)),
  ];
}

function expressionsOf(dashboard: string): string[] {
  return [...dashboard.matchAll(/"expr": (".*")/g)].map(([, text = ""]) => JSON.parse(text) as string);
}

test("npm start serves the metrics of the API and the worker at one address", () => {
  expect(metrics.has("parley_http_requests_total")).toBe(true);
  expect(metrics.has("parley_delivery_attempts_total")).toBe(true);
  expect(metrics.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
});

test("npm start shows the connections of both pools", async () => {
  const samples = await scrape(demo.metricsUrl);
  for (const pool of ["api", "worker"])
    expect(samples[`parley_database_pool_connections{pool="${pool}"}`]).toBeGreaterThan(0);
});

test("an unknown metric and an unknown label are found", () => {
  expect(unknownIn("sum(rate(parley_http_request_total[5m]))")).toEqual(["parley_http_request_total"]);
  expect(unknownIn('parley_http_requests_total{route="x"}')).toEqual(["parley_http_requests_total{route}"]);
  expect(unknownIn("sum by (route) (parley_http_requests_total)")).toEqual(["route"]);
});

describe.each(dashboards)("%s", (file) => {
  test("queries only metrics and labels that exist", () => {
    const expressions = expressionsOf(read(file));
    expect(expressions.length).toBeGreaterThan(10);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });

  test("has a title and a description for each panel", () => {
    const { panels } = JSON.parse(read(file)) as { panels: { title: string; description: string }[] };
    expect(panels.filter(({ title, description }) => !title || !description)).toEqual([]);
  });
});

test("the dashboards show all metrics of Parley", () => {
  const shown = new Set(
    dashboards.flatMap((file) => expressionsOf(read(file)).flatMap((text) => selectorsOf(text))).map(base),
  );
  const served = [...metrics.keys()]
    .filter((name) => name.startsWith("parley_"))
    .map((name) => base({ name }));
  expect(shown).toEqual(new Set([...served, ...[...shown].filter((name) => !name.startsWith("parley_"))]));
});

/** Returns the name of the histogram for one of its series. */
function base({ name }: { name: string }): string {
  return name.replace(/_seconds_(?:bucket|sum|count)$/, "_seconds");
}
