import { timingSafeEqual } from "node:crypto";

/** Compares two texts in constant time. Their lengths are not kept secret. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
