import { setTimeout as sleep } from "node:timers/promises";
import { nowMs } from "./clock.ts";

/** @throws Error with these words when it does not come true in time */
export async function until(
  isTrue: () => Promise<boolean>,
  { everyMs, withinMs, words }: { everyMs: number; withinMs: number; words: string },
): Promise<void> {
  const giveUpAt = nowMs() + withinMs;
  while (!(await isTrue())) {
    if (nowMs() > giveUpAt) throw new Error(words);
    await sleep(everyMs);
  }
}
