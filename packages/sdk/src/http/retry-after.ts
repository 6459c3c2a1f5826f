/**
 * Seconds that an answer asks to wait: its `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3). The service's own
 * rate limit without the header means 60 (specification §7).
 *
 * @param code - the code of the error body, where there is one
 * @param now - milliseconds since 1970
 */
export function retryAfterOf(response: Response, code: string | undefined, now: number): number | undefined {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  // Of anything else Date.parse would make a date of its own, of "1.5" for example.
  const date = Date.parse(/^[A-Z][a-z]+, /.test(value) ? value : "");
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));
  return code === "rate_limit_exceeded" ? 60 : undefined;
}
