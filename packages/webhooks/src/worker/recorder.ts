import type { Pool } from "pg";
import type { Drain } from "./drain.ts";
import { type AttemptRecord, type GateRecord, recordResults } from "./results.ts";

const maxBatch = 500;
const flushAfterMs = 10;
const retryAfterMs = 250;

interface Entry {
  drain: Drain;
  attempt: AttemptRecord;
  gate: GateRecord | null;
}

/**
 * Collects results and writes them in batches, one batch at a time. While the database is away they are kept and
 * written later; those of subscriptions that somebody took over meanwhile are dropped by the database, and the deliveries
 * are sent again: at least once, rarely twice.
 */
export class Recorder {
  readonly #db: Pool;
  readonly #workerId: string;
  readonly #recorded: () => void;
  readonly #onError: (error: unknown) => void;
  #entries: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #abandoned = false;

  /** @param recorded called after each batch; `onError` for each attempt to write that failed */
  constructor(db: Pool, workerId: string, recorded: () => void, onError: (error: unknown) => void) {
    this.#db = db;
    this.#workerId = workerId;
    this.#recorded = recorded;
    this.#onError = onError;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= maxBatch) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), flushAfterMs);
  }

  /** Resolves when everything that was added has been written. */
  async flush(): Promise<void> {
    while (!this.#abandoned && (this.#entries.length > 0 || this.#writing)) {
      this.#write();
      await this.#writing;
    }
  }

  /** Nothing more is written: who takes the subscriptions over sends what is missing again. */
  abandon(): void {
    this.#abandoned = true;
    this.#entries = [];
    clearTimeout(this.#timer);
  }

  #write(): void {
    if (this.#writing || this.#entries.length === 0 || this.#abandoned) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#entries.splice(0, maxBatch);
    this.#writing = this.#writeBatch(batch).finally(() => {
      this.#writing = undefined;
      if (this.#entries.length > 0) this.#write();
    });
  }

  async #writeBatch(batch: Entry[]): Promise<void> {
    const gates = mergedGates(batch);
    while (!this.#abandoned) {
      try {
        const attempts = batch.map(({ attempt }) => attempt);
        const held = await recordResults(this.#db, this.#workerId, attempts, gates);
        for (const { drain, attempt } of batch) {
          drain.unrecorded.delete(attempt.delivery);
          if (!held.has(drain.lease.subscriptionId)) drain.close();
        }
        this.#recorded();
        return;
      } catch (error) {
        this.#onError(error);
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      }
    }
  }
}

/** Of several changes of one gate the last one stands. */
function mergedGates(batch: Entry[]): GateRecord[] {
  const gates = new Map<string, GateRecord>();
  for (const { gate } of batch) {
    if (!gate) continue;
    const earlier = gates.get(gate.subscriptionId);
    const { failuresBefore, notices } = earlier ?? { failuresBefore: gate.failuresBefore, notices: [] };
    gates.set(gate.subscriptionId, { ...gate, failuresBefore, notices: [...notices, ...gate.notices] });
  }
  return [...gates.values()];
}
