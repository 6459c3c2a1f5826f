/**
 * Returns the number of seconds to wait before the next request. `Retry-After` contains seconds or a date (RFC 9110,
 * section 10.2.3). For `rate_limit_exceeded` without this header, it is 60 seconds, the length of a rate-limit window.
 *
 * @param code - error code of the body; undefined when there is none
 * @param now - current time in milliseconds since 1970
 */
export function retryAfterOf(response: Response, code: string | undefined, now: number): number | undefined {
  const value = response.headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse accepts more than HTTP dates, for example "1.5".
  const date = Date.parse(/^[A-Z][a-z]+, /.test(value) ? value : "");
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));
  return code === "rate_limit_exceeded" ? 60 : undefined;
}
