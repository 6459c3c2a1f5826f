import type { RequestCountsOfMinute } from "@parley/database";
import { columnChart, type Html } from "@parley/ui";
import { count } from "./layout/numbers.ts";

const minuteMs = 60_000;
const minutes = 60;

/**
 * Renders the API requests of each minute of the last hour.
 *
 * @param counts minutes with requests, in any order
 * @param options.limit requests per minute of the plan; undefined without access
 */
export function requestChart(
  counts: RequestCountsOfMinute[],
  { now, limit }: { now: Date; limit: number | undefined },
): Html {
  const from = (Math.floor(now.getTime() / minuteMs) - minutes + 1) * minuteMs;
  const empty = () => new Array<number>(minutes).fill(0);
  const [answered, errors, limited] = [empty(), empty(), empty()];
  for (const one of counts) {
    const index = Math.round((one.minute.getTime() - from) / minuteMs);
    if (index < 0 || index >= minutes) continue;
    answered[index] = one.requests - one.errors;
    errors[index] = one.errors - one.limited;
    limited[index] = one.limited;
  }
  const total = counts.reduce((sum, { requests }) => sum + requests, 0);
  return columnChart({
    id: "requests",
    title: "API requests per minute, last hour (UTC)",
    description: `${count(total)} requests in the last hour.`,
    labelName: "Minute",
    labels: Array.from({ length: minutes }, (_, index) =>
      new Date(from + index * minuteMs).toISOString().slice(11, 16),
    ),
    series: [
      { name: "Successful", kind: "good", values: answered },
      { name: "Errors", kind: "warning", values: errors },
      { name: "Rate limited (429)", kind: "alert", values: limited },
    ],
    limit: limit === undefined ? undefined : { name: "Limit of the plan", value: limit },
  });
}
