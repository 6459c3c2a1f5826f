/** Failed attempts that one key may have within a window. */
export interface Limit {
  key: string;
  failures: number;
}

export interface Throttle {
  /** 0, or the milliseconds to wait when a limit is reached: then an attempt must not even be checked. */
  blockedFor(limits: Limit[]): number;
  /** Counts a failed attempt. */
  fail(limits: Limit[]): void;
  /** Takes back one count, of an attempt that was counted before it was checked and turned out right. */
  forgive(limits: Limit[]): void;
}

const maxKeys = 20_000;

/** Counts failures in this process, in fixed windows of `windowMs` from the first failure of a key. */
export function createThrottle(windowMs: number, clock: () => number): Throttle {
  const windows = new Map<string, { failures: number; endsAt: number }>();

  function current(key: string) {
    const found = windows.get(key);
    if (found && found.endsAt > clock()) return found;
    windows.delete(key); // a new window goes to the end: the map stays in the order of expiry
    return undefined;
  }

  function add(key: string): void {
    const window = current(key) ?? { failures: 0, endsAt: clock() + windowMs };
    window.failures += 1;
    windows.set(key, window);
    for (const oldest of windows.keys()) {
      if (windows.size <= maxKeys) break;
      windows.delete(oldest);
    }
  }

  return {
    blockedFor: (limits) =>
      Math.max(
        ...limits.map(({ key, failures }) => {
          const window = current(key);
          return window && window.failures >= failures ? window.endsAt - clock() : 0;
        }),
      ),
    fail(limits) {
      for (const { key } of limits) add(key);
    },
    forgive(limits) {
      for (const { key } of limits) {
        const window = current(key);
        if (window) window.failures -= 1;
      }
    },
  };
}
