import { attributes, type Html, html } from "../html.ts";
import { table } from "./content.ts";

/** Color of a series; the legend and the table repeat it in words. */
type SeriesKind = "good" | "warning" | "alert" | "neutral";

interface Series {
  name: string;
  kind: SeriesKind;
  /** One value for each label. */
  values: number[];
}

interface ColumnChart {
  /** ID of the title, unique in the page. */
  id: string;
  title: string;
  /** What the chart shows, in a sentence, for people who do not see it. */
  description: string;
  /** Name of the first column of the table, for example `Hour`. */
  labelName: string;
  labels: string[];
  series: Series[];
  /** Value that a line marks, for example a limit. */
  limit?: { name: string; value: number } | undefined;
}

const height = 100;
const step = 10;
const number = new Intl.NumberFormat("en");

/**
 * Renders stacked columns as SVG, with a legend and a table of the same values.
 *
 * @example
 * columnChart({ id: "sent", title: "Sent per hour", description: "Three hours.", labelName: "Hour", labels: ["1", "2", "3"],
 *   series: [{ name: "Delivered", kind: "good", values: [4, 0, 9] }] });
 */
export function columnChart(chart: ColumnChart): Html {
  const { id, title, description, labels, series, limit } = chart;
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(
    1,
    ...totals,
    ...(limit && Math.max(...totals) > limit.value / 2 ? [limit.value] : []),
  );
  const width = Math.max(1, labels.length) * step;
  const middle = labels[Math.floor(labels.length / 2)] ?? "";
  return html`<figure class="chart" aria-labelledby="${id}">
<figcaption id="${id}">${title}</figcaption>
<div class="plot">
<p class="most" aria-hidden="true">${number.format(Math.max(...totals) === 0 ? 0 : most)}</p>
<svg role="img" aria-labelledby="${id}-title ${id}-description" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
<title id="${id}-title">${title}</title>
<desc id="${id}-description">${description}</desc>
${columns(series, labels.length, most)}
${limit && limit.value <= most && limitLine(limit.value, most, width)}
</svg>
<p class="axis" aria-hidden="true"><span>${labels[0]}</span><span>${middle}</span><span>${labels.at(-1)}</span></p>
</div>
<ul class="legend">${series.map(({ name, kind, values }) => html`<li class="series-${kind}">${name}: ${number.format(sum(values))}</li>`)}
${limit && html`<li class="limit">${limit.name}: ${number.format(limit.value)}</li>`}</ul>
<details><summary>Show as a table</summary>
${table(
  title,
  [chart.labelName, ...series.map(({ name }) => name)],
  labels.map((label, index) => [label, ...series.map(({ values }) => number.format(values[index] ?? 0))]),
)}
</details>
</figure>`;
}

function columns(series: Series[], count: number, most: number): Html {
  const tops = new Array<number>(count).fill(height);
  return html`${series.map(({ kind, values }) => {
    const rects = values.slice(0, count).map((value, index) => {
      const size = (value / most) * height;
      const y = (tops[index] ?? height) - size;
      tops[index] = y;
      return value > 0 && rect({ x: index * step + 1, y, width: step - 2, size });
    });
    return html`<g class="series-${kind}">${rects}</g>`;
  })}`;
}

interface Rect {
  x: number;
  y: number;
  width: number;
  size: number;
}

function rect({ x, y, width, size }: Rect): Html {
  return html`<rect${attributes({ x, y: round(y), width, height: round(size) })}/>`;
}

function limitLine(value: number, most: number, width: number): Html {
  const y = round(height - (value / most) * height);
  return html`<line class="limit" x1="0" x2="${width}" y1="${y}" y2="${y}"/>`;
}

interface Sparkline {
  /** What it shows, for people who do not see it, for example `24 hours: 1,203 delivered, 2 failed`. */
  label: string;
  series: Omit<Series, "name">[];
}

/** Renders small stacked columns without axis, for a cell of a table. */
export function sparkline({ label, series }: Sparkline): Html {
  const count = Math.max(1, ...series.map(({ values }) => values.length));
  const totals = Array.from({ length: count }, (_, index) =>
    sum(series.map(({ values }) => values[index] ?? 0)),
  );
  return html`<svg class="sparkline" role="img" aria-label="${label}" viewBox="0 0 ${count * step} ${height}" preserveAspectRatio="none">
<line class="base" x1="0" x2="${count * step}" y1="${height}" y2="${height}"/>
${columns(
  series.map((one) => ({ ...one, name: "" })),
  count,
  Math.max(1, ...totals),
)}
</svg>`;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
