/** Retention of an `Idempotency-Key` and its response, as a PostgreSQL interval. The contract guarantees it. */
export const idempotencyKeyLifetime = "24 hours";
