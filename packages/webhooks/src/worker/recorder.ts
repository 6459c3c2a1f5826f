import type { Pool } from "pg";
import { isolate } from "./isolate.ts";
import type { LeasedSubscription } from "./leased-subscription.ts";
import { type AttemptRecord, type CircuitRecord, recordResults } from "./results.ts";
import { stepBackoff } from "./step.ts";

const maxBatch = 500;
const flushAfterMs = 10;

/** The result of one attempt. */
export interface Result {
  leased: LeasedSubscription;
  attempt: AttemptRecord;
  /** The circuit breaker, if the attempt changed it. */
  circuit: CircuitRecord | null;
}

export interface RecorderEvents {
  /** A batch was written. `lost` are subscriptions of it that this worker no longer leases. */
  recorded(lost: LeasedSubscription[]): void;
  /** The results of one subscription cannot be written: its deliveries are sent again later. */
  isolated(leased: LeasedSubscription, error: unknown): void;
  /** A batch could not be written. It is retried. */
  failed(error: unknown): void;
}

/**
 * Collects results and writes them in batches, one batch at a time. While the database is unavailable it keeps them and
 * retries. The database drops results of subscriptions that another worker has leased meanwhile, and their deliveries
 * are sent again: at least once, rarely twice.
 */
export class Recorder {
  readonly #db: Pool;
  readonly #workerId: string;
  readonly #events: RecorderEvents;
  #results: Result[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #abandoned = false;
  /** Since when writing fails; ms of the monotonic clock, null while it works. */
  failingSince: number | null = null;

  constructor(db: Pool, workerId: string, events: RecorderEvents) {
    this.#db = db;
    this.#workerId = workerId;
    this.#events = events;
  }

  add(result: Result): void {
    this.#results.push(result);
    if (this.#results.length >= maxBatch) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), flushAfterMs);
  }

  /** Resolves when all results so far are written. */
  async flush(): Promise<void> {
    while (!this.#abandoned && (this.#results.length > 0 || this.#writing)) {
      this.#write();
      await this.#writing;
    }
  }

  /** Writes nothing more: the worker that leases the subscriptions next sends again what is missing. */
  abandon(): void {
    this.#abandoned = true;
    this.#results = [];
    clearTimeout(this.#timer);
  }

  #write(): void {
    if (this.#writing || this.#results.length === 0 || this.#abandoned) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#results.splice(0, maxBatch);
    this.#writing = this.#writeBatch(batch).finally(() => {
      this.#writing = undefined;
      if (this.#results.length > 0) this.#write();
    });
  }

  async #writeBatch(batch: Result[]): Promise<void> {
    const bySubscription = [...Map.groupBy(batch, ({ leased }) => leased).values()];
    for (let failures = 1; !this.#abandoned; failures += 1) {
      try {
        const { rows, failed } = await isolate(bySubscription, (results) =>
          this.#writeResults(results.flat()),
        );
        this.failingSince = null;
        for (const { leased, attempt } of batch) leased.unrecorded.delete(attempt.delivery);
        for (const { item, error } of failed) {
          const [first] = item; // All results of one subscription.
          if (first) this.#events.isolated(first.leased, error);
        }
        this.#events.recorded(rows);
        return;
      } catch (error) {
        this.failingSince ??= performance.now();
        this.#events.failed(error);
        await new Promise((resolve) => setTimeout(resolve, stepBackoff(failures)));
      }
    }
  }

  /** @returns the subscriptions that this worker no longer leases */
  async #writeResults(results: Result[]): Promise<LeasedSubscription[]> {
    const attempts = results.map(({ attempt }) => attempt);
    const held = await recordResults(this.#db, this.#workerId, attempts, lastCircuits(results));
    return [...new Set(results.map(({ leased }) => leased))].filter(({ id }) => !held.has(id));
  }
}

/** Of several changes of one circuit the last one counts. */
function lastCircuits(results: Result[]): CircuitRecord[] {
  const circuits = new Map<string, CircuitRecord>();
  for (const { circuit } of results) {
    if (!circuit) continue;
    const earlier = circuits.get(circuit.subscriptionId);
    const { failuresBefore, notices } = earlier ?? { failuresBefore: circuit.failuresBefore, notices: [] };
    circuits.set(circuit.subscriptionId, {
      ...circuit,
      failuresBefore,
      notices: [...notices, ...circuit.notices],
    });
  }
  return [...circuits.values()];
}
