import { LRUCache } from "lru-cache";
import type { Throttle, ThrottleOptions } from "./throttle.ts";

const maxKeys = 20_000;

/** Creates a throttle that counts in this process. */
export function throttleInMemory({ windowMs, clock }: Pick<ThrottleOptions, "windowMs" | "clock">): Throttle {
  const windows = new LRUCache<string, { failures: number; endsAt: number }>({ max: maxKeys });

  function current(key: string) {
    const found = windows.get(key);
    return found && found.endsAt > clock() ? found : undefined;
  }

  function add(key: string): void {
    const window = current(key) ?? { failures: 0, endsAt: clock() + windowMs };
    window.failures += 1;
    windows.set(key, window);
  }

  return {
    async attempt(limits) {
      const waits = limits.map(({ key, failures }) => {
        const window = current(key);
        return window && window.failures >= failures ? window.endsAt - clock() : 0;
      });
      const wait = Math.max(...waits);
      if (wait === 0) for (const { key } of limits) add(key);
      return wait;
    },
    async forgive(limits) {
      for (const { key } of limits) {
        const window = current(key);
        if (window) window.failures -= 1;
      }
    },
  };
}
