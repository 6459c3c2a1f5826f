import { setImmediate as nextTurn } from "node:timers/promises";
import { Gauge, type Registry } from "prom-client";

/** State of a pool of database connections. `pg.Pool` has these members. */
export interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

const poolsByRegistry = new WeakMap<Registry, Map<string, PoolState>>();

/** Adds the gauges of a pool of database connections. Several pools share the gauges and have different labels. */
export function observePool(registry: Registry, name: string, pool: PoolState): void {
  const pools = poolsByRegistry.get(registry) ?? addGauges(registry);
  pools.set(name, pool);
}

function addGauges(registry: Registry): Map<string, PoolState> {
  const pools = new Map<string, PoolState>();
  poolsByRegistry.set(registry, pools);
  const gauges = [
    {
      name: "parley_database_pool_connections",
      help: "Open database connections of the pool.",
      read: ({ totalCount }: PoolState) => totalCount,
    },
    {
      name: "parley_database_pool_idle_connections",
      help: "Open database connections of the pool that are not in use.",
      read: ({ idleCount }: PoolState) => idleCount,
    },
    {
      name: "parley_database_pool_waiting",
      help: "Queries and transactions that wait for a connection of the pool.",
      read: ({ waitingCount }: PoolState) => waitingCount,
    },
  ];
  for (const { name, help, read } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers: [registry],
      async collect() {
        // In the same turn, the statements of other gauges would count as waiting.
        await nextTurn();
        for (const [pool, state] of pools) this.set({ pool }, read(state));
      },
    });
  }
  return pools;
}
