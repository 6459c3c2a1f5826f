const grouped = new Intl.NumberFormat("en");

/** Returns a number with thousands separators, for example `1,203`. */
export function count(value: number): string {
  return grouped.format(value);
}

/** Returns a number with its noun, for example `1 delivery` or `1,203 deliveries`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

/** Returns a duration in milliseconds, for example `84 ms` or `1.2 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${Math.round(ms)}\u00a0ms` : `${(ms / 1_000).toFixed(1)}\u00a0s`;
}

/** Returns a share in percent, for example `99.2 %`; `–` of nothing. It is 100 % only if it is all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "–";
  const rounded = part === whole ? 100 : Math.floor((1000 * part) / whole) / 10;
  return `${rounded}\u00a0%`;
}
