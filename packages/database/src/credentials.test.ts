import { createHook } from "node:async_hooks";
import { expect, test } from "vitest";
import { cheapHash, hashPassword, PasswordQueueFullError, verifyPassword } from "./credentials.ts";

/** Counts the scrypt jobs in Node's thread pool. */
function observeScrypt() {
  const running = new Set<number>();
  const observed = { most: 0, total: 0, stop: () => hook.disable() };
  const hook = createHook({
    init(id, type) {
      if (type !== "SCRYPTREQUEST") return;
      running.add(id);
      observed.total += 1;
      observed.most = Math.max(observed.most, running.size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return observed;
}

test("computes at most two hashes at the same time, and leaves threads for DNS lookups and files", async () => {
  const observed = observeScrypt();
  const hashes = await Promise.all(Array.from({ length: 8 }, () => hashPassword("correct horse", cheapHash)));
  const checks = hashes.slice(0, 4).map((hash) => verifyPassword("correct horse", hash));
  expect(await Promise.all(checks)).toEqual([true, true, true, true]);
  observed.stop();
  expect(observed.total).toBe(12);
  expect(observed.most).toBeLessThanOrEqual(2);
});

test("rejects immediately if too many passwords are waiting, and accepts passwords again when the queue is empty", async () => {
  const hash = await hashPassword("correct horse", cheapHash);
  const observed = observeScrypt();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, () => verifyPassword("correct horse", hash)),
  );
  observed.stop();
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.length).toBeGreaterThan(100);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(PasswordQueueFullError);
  expect(observed.total).toBe(200 - refused.length);
  expect(await verifyPassword("correct horse", hash)).toBe(true);
});
