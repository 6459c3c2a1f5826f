/** How long an `Idempotency-Key` and its answer are kept, as a PostgreSQL interval; the contract promises it. */
export const idempotencyKeyLifetime = "24 hours";
