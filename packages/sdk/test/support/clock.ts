import type { Clock } from "../../src/http/clock.ts";

export interface TestClock extends Clock {
  /** What was slept, in milliseconds. */
  readonly slept: number[];
  /** Milliseconds since 1970. */
  time: number;
}

/** A clock that does not wait: sleeping moves its time. Chance is always a half. */
export function testClock(time: number = Date.parse("2026-03-01T10:00:00Z")): TestClock {
  const clock: TestClock = {
    time,
    slept: [],
    now: () => clock.time,
    random: () => 0.5,
    sleep: (ms) => {
      clock.slept.push(ms);
      clock.time += ms;
      return Promise.resolve();
    },
  };
  return clock;
}
