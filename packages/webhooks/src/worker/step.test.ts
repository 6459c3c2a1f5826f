import { beforeEach, expect, test, vi } from "vitest";
import { Step } from "./step.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

test("backs off for longer after each failure, up to 5 seconds, and not after a success", async () => {
  const backoffs: number[] = [];
  const step = new Step("lease", (_name, _error, retryInMs) => void backoffs.push(retryInMs));
  const fail = () => Promise.reject(new Error("no"));
  for (let i = 0; i < 8; i += 1) {
    expect(await step.run(fail)).toBe(false);
    const work = vi.fn<() => Promise<void>>(async () => {});
    expect(await step.run(work)).toBe(false); // It backs off.
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(backoffs.at(-1) ?? 0);
  }
  expect(backoffs).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(step.failingSince).toBe(performance.now() - backoffs.reduce((sum, ms) => sum + ms));

  expect(await step.run(async () => {})).toBe(true);
  expect(step.failingSince).toBeNull();
  await step.run(fail);
  expect(backoffs.at(-1)).toBe(100);
});
