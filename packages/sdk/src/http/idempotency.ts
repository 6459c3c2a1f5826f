/** Header with which the API recognizes a repeated POST. */
export const idempotencyHeader = "idempotency-key";

/** Adds a random key to a POST without one. Call it once per call, so that each attempt sends the same key. */
export function addIdempotencyKey({ method, headers }: Request): void {
  if (method === "POST" && !headers.has(idempotencyHeader)) {
    headers.set(idempotencyHeader, crypto.randomUUID());
  }
}

/** Whether sending the request twice has the same effect as sending it once. */
export function isIdempotent({ method, headers }: Request): boolean {
  return /^(GET|HEAD|PUT|DELETE)$/.test(method) || (method === "POST" && headers.has(idempotencyHeader));
}
