/** Reads PromQL: which metrics and labels an expression uses. */
import { join } from "node:path";

/** Folder of the dashboards and the alert rules. */
export const monitoringFolder = join(import.meta.dirname, "../../../deploy/monitoring");

/** Label names by metric. */
export type Metrics = Map<string, Set<string>>;

/** Labels that Prometheus adds to every metric. */
export const ofTarget = ["job", "instance"];
/** Prometheus sets this metric itself. */
const ofPrometheus: [string, Set<string>][] = [["up", new Set(ofTarget)]];

/** Returns the metrics of a scrape with their labels, as Prometheus stores them. */
export function labelsByMetric(samples: Record<string, number>): Metrics {
  const found: Metrics = new Map(ofPrometheus);
  for (const sample of Object.keys(samples)) {
    const [name = "", labels = ""] = sample.split("{");
    const known = found.get(name) ?? new Set(ofTarget);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g))
      known.add(ofTarget.includes(label) ? `exported_${label}` : label); // Prometheus renames it.
    found.set(name, known);
  }
  return found;
}

/** Returns the metrics of an expression, with the labels that select their series. */
export function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  const names = expression.matchAll(/\b((?:parley|nodejs|process)_\w+|up\b)(?:\{([^}]*)\})?/g);
  return [...names].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = ""]) => label),
  }));
}

/** Returns the metrics and labels of an expression that do not exist. */
export function unknownIn(expression: string, metrics: Metrics): string[] {
  const selectors = selectorsOf(expression);
  const labelsOf = (name: string) => metrics.get(name) ?? new Set(ofTarget);
  const grouped = new Set(selectors.flatMap(({ name }) => [...labelsOf(name)]));
  return [
    ...selectors.filter(({ name }) => !metrics.has(name)).map(({ name }) => name),
    ...selectors.flatMap(({ name, labels }) =>
      labels.filter((label) => !labelsOf(name).has(label)).map((label) => `${name}{${label}}`),
    ),
    ...groupingsOf(expression).filter((label) => !grouped.has(label)),
  ];
}

function groupingsOf(expression: string): string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/,\s*/));
}

/** Returns the name of the histogram for one of its series, otherwise the name itself. */
export function metricOf(name: string): string {
  return name.replace(/_seconds_(?:bucket|sum|count)$/, "_seconds");
}
