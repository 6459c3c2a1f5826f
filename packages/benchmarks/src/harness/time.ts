import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds on the machine's monotonic clock, which all processes share. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Waits for a condition. @throws Error with these message when it is not met in time */
export async function until(
  isMet: () => Promise<boolean>,
  { everyMs, withinMs, message }: { everyMs: number; withinMs: number; message: string },
): Promise<void> {
  const giveUpAt = nowMs() + withinMs;
  while (!(await isMet())) {
    if (nowMs() > giveUpAt) throw new Error(message);
    await sleep(everyMs);
  }
}
