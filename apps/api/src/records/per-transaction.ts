import type { Transaction } from "@parley/database";

/** Returns a function that gives each transaction a map, for values that its statements read only once. */
export function perTransaction<Value>(): (tx: Transaction) => Map<string, Value> {
  const maps = new WeakMap<Transaction, Map<string, Value>>();
  return (tx) => {
    const map = maps.get(tx) ?? new Map<string, Value>();
    maps.set(tx, map);
    return map;
  };
}
