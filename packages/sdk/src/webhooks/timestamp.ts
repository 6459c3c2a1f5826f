import { WebhookVerificationError } from "./error.ts";

/**
 * Checks the timestamp. The comparison accepts nothing if `tolerance` or the clock is not a number.
 *
 * @throws {@link WebhookVerificationError} if the timestamp differs from the clock by more than `tolerance`
 */
export function checkTimestamp(timestamp: string, now: number, tolerance: number): void {
  const age = now - Number(timestamp);
  if (age >= -tolerance && age <= tolerance) return;
  const [code, where] =
    age < 0 ? (["timestamp_in_future", "ahead"] as const) : (["timestamp_too_old", "old"] as const);
  throw new WebhookVerificationError(
    code,
    `Timestamp ${timestamp} is ${Math.abs(age)} s ${where} (own clock: ${now}, tolerance: ${tolerance} s)`,
  );
}
