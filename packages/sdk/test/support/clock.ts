import type { Clock } from "../../src/http/clock.ts";

/** Clock whose time only moves when something sleeps or a test sets it. */
export interface TestClock extends Clock {
  /** Delays that were waited for, in milliseconds. */
  readonly sleeps: number[];
  /** Current time in milliseconds since 1970. */
  time: number;
}

/** Creates a clock that does not wait: sleeping moves its time. The random number is always 0.5. */
export function createTestClock(time: number = Date.parse("2026-03-01T10:00:00Z")): TestClock {
  const clock: TestClock = {
    time,
    sleeps: [],
    now: () => clock.time,
    random: () => 0.5,
    sleep: (ms) => {
      clock.sleeps.push(ms);
      clock.time += ms;
      return Promise.resolve();
    },
  };
  return clock;
}
