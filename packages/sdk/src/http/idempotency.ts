/** The header that tells a repetition from a new request. The service heeds it on POST and PUT. */
export const idempotencyHeader = "idempotency-key";

/** Gives a POST or PUT a key, unless the caller has: once for a call, so every attempt carries the same one. */
export function addIdempotencyKey({ method, headers }: Request): void {
  if (/^P(OS|U)T$/.test(method) && !headers.has(idempotencyHeader)) {
    headers.set(idempotencyHeader, crypto.randomUUID());
  }
}

/** Whether sending a request twice does no more than sending it once. */
export function isRepeatable({ method, headers }: Request): boolean {
  return /^(GET|HEAD|DELETE)$/.test(method) || (method !== "PATCH" && headers.has(idempotencyHeader));
}
