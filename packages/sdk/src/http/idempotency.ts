/** The header that tells a repetition from a new request. The service reads it on POST. */
export const idempotencyHeader = "idempotency-key";

/** Gives a POST a key, unless the caller has: once for a call, so every attempt carries the same one. */
export function addIdempotencyKey({ method, headers }: Request): void {
  if (method === "POST" && !headers.has(idempotencyHeader)) {
    headers.set(idempotencyHeader, crypto.randomUUID());
  }
}

/** Whether sending a request twice does no more than sending it once. */
export function isRepeatable({ method, headers }: Request): boolean {
  return /^(GET|HEAD|PUT|DELETE)$/.test(method) || (method === "POST" && headers.has(idempotencyHeader));
}
