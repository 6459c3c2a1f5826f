import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";

type Callback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Resolves a name to all its addresses. */
export type Lookup = (hostname: string, options: LookupOptions & { all: true }, callback: Callback) => void;

/** Node.js resolves names in four threads per process. Each is blocked until the lookup at an unresponsive name server times out. */
const forUnproven = 2;
/** A name that resolves within this time counts as fast, until a lookup is slow or fails. */
const quickMs = 1_000;
const maxProven = 10_000;

/**
 * Returns a lookup in which a name with an unresponsive name server does not delay other names. Concurrent lookups of a
 * name share one query. Names that have not resolved quickly before use at most half of the threads.
 */
export function fairLookup(
  lookup: Lookup = systemLookup,
): (hostname: string, options: LookupOptions, callback: Callback) => void {
  const waiting = new Map<string, Callback[]>();
  const proven = new Set<string>();
  const queue: (() => void)[] = [];
  let unproven = 0;

  function ask(hostname: string, options: LookupOptions, key: string): void {
    const startedAt = performance.now();
    const counts = !proven.has(key);
    if (counts) unproven += 1;
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      proven.delete(key);
      if (!error && performance.now() - startedAt < quickMs) remember(key);
      if (counts) {
        unproven -= 1;
        queue.shift()?.();
      }
      const callbacks = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const callback of callbacks) callback(error, addresses);
    });
  }

  function remember(key: string): void {
    proven.add(key);
    const [oldest] = proven;
    if (proven.size > maxProven && oldest !== undefined) proven.delete(oldest);
  }

  return (hostname, options, callback) => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0}`;
    const others = waiting.get(key);
    if (others) return void others.push(callback);
    waiting.set(key, [callback]);
    if (proven.has(key) || unproven < forUnproven) ask(hostname, options, key);
    else queue.push(() => ask(hostname, options, key));
  };
}
