import { beforeEach, expect, test, vi } from "vitest";
import { Step } from "./step.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  return () => vi.useRealTimers();
});

test("backs off for longer after each failure, up to 5 seconds, and not after a success", async () => {
  const logged: object[] = [];
  const log = { info() {}, warn() {}, error: (details: object) => void logged.push(details) };
  const backoffs: number[] = [];
  const wake = vi.fn<() => void>();
  const step = new Step("lease", { log }, wake);
  const error = new Error("no");
  const fail = () => Promise.reject(error);
  for (let i = 0; i < 8; i += 1) {
    expect(await step.run(fail)).toBe(false);
    backoffs.push(step.retryInMs);
    const work = vi.fn<() => Promise<void>>(async () => {});
    expect(await step.run(work)).toBe(false); // It backs off.
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(step.retryInMs - 1);
    expect(wake).toHaveBeenCalledTimes(i);
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(i + 1);
  }
  expect(backoffs).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(logged).toEqual(backoffs.map(() => ({ err: error, step: "lease" })));
  expect(step.troubledSince).toBe(performance.now() - backoffs.reduce((sum, ms) => sum + ms));

  expect(await step.run(async () => {})).toBe(true);
  expect(step.troubledSince).toBeNull();
  await step.run(fail);
  expect(step.retryInMs).toBe(100);
});

test("is troubled since the start of the oldest run that has not ended", async () => {
  const step = new Step("record", { log: { info() {}, warn() {}, error() {} } });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const started = performance.now();
  const runs = [step.run(() => first.promise)];
  vi.advanceTimersByTime(1_000);
  runs.push(step.run(() => second.promise));
  expect(step.troubledSince).toBe(started);
  first.resolve();
  await runs[0];
  expect(step.troubledSince).toBe(started + 1_000);
  second.resolve();
  await runs[1];
  expect(step.troubledSince).toBeNull();
});
