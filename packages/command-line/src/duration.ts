import { InvalidArgumentError } from "@commander-js/extra-typings";

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 24 * 3_600_000 };
const longest = 366 * 24 * 3_600_000;

/**
 * Parses a duration such as `90s`, `30m`, `24h`, `7d` or `0`; returns milliseconds.
 *
 * @throws InvalidArgumentError
 */
export function duration(text: string): number {
  const milliseconds = durationOf(text);
  if (milliseconds !== undefined && milliseconds <= longest) return milliseconds;
  throw new InvalidArgumentError("Must be a duration like 90s, 30m, 24h or 7d, or 0; at most 366d.");
}

function durationOf(text: string): number | undefined {
  if (text === "0") return 0;
  const [, count, unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
}

/**
 * Parses a time: an RFC 3339 timestamp, a date (UTC), or a duration before now.
 *
 * @throws InvalidArgumentError
 */
export function moment(text: string): Date {
  const ago = durationOf(text);
  if (ago !== undefined) return new Date(Date.now() - ago);
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("Must be a time like 2026-03-01, 2026-03-01T09:00:00Z or 24h (ago).");
}
