export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** `0.52 (0.49–0.55)`: the median and the range it lies in. */
export function withSpread(values: number[], digits = 2): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => format(value, digits));
  return `${format(median(values), digits)} (${low}–${high})`;
}

function format(value: number, digits: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param share for example 0.99 */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
