import { setTimeout as sleep } from "node:timers/promises";
import { type ApiRequestCounts, type ApiRequestEntry, isDatabaseUnavailable } from "@parley/database";
import type { FastifyBaseLogger } from "fastify";

const flushAfterMs = 500;
const flushFrom = 500;
/** Maximum number of entries in one statement. */
const maxBatch = 2_000;
/** Maximum number of entries in memory, and of organizations and minutes with counts. */
const maxKept = 10_000;
/** Entries that cannot be written for longer are dropped, because erasing a person does not search for older ones again. */
const longestKeptMs = 5 * 60_000;

/** Receives the numbers of entries for metrics. */
export interface RequestBufferObserver {
  written: (entries: number) => void;
  dropped: (entries: number) => void;
}

type Write = (entries: ApiRequestEntry[], counts: ApiRequestCounts[]) => Promise<void>;

/**
 * Collects entries of the request log and writes them in batches, one batch at a time. If the database is unavailable, keeps entries
 * for 5 minutes or until the buffer is full, and drops others. Dropped entries are counted.
 */
export class RequestBuffer {
  readonly #write: Write;
  readonly #keepsEntries: boolean;
  readonly #log: Pick<FastifyBaseLogger, "info" | "warn">;
  readonly #observer: RequestBufferObserver | undefined;
  #entries: ApiRequestEntry[] = [];
  /** By organization and minute. */
  #counts = new Map<string, ApiRequestCounts>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  /** Number of entries in the statement that is running. */
  #inFlight = 0;
  /** Number of entries dropped since entries were first dropped or not written; undefined if all are written. */
  #dropped: number | undefined;
  #failed = false;

  constructor(
    write: Write,
    keepsEntries: boolean,
    log: Pick<FastifyBaseLogger, "info" | "warn">,
    observer?: RequestBufferObserver,
  ) {
    this.#write = write;
    this.#keepsEntries = keepsEntries;
    this.#log = log;
    this.#observer = observer;
  }

  add(entry: ApiRequestEntry): void {
    const isFull = this.#entries.length + this.#inFlight >= maxKept;
    const isDropped = this.#keepsEntries && isFull;
    this.#addCounts(countsOf(entry, isDropped));
    if (isDropped) this.#drop(1);
    else if (this.#keepsEntries) this.#entries.push(entry);
    // After a failure, only the timer starts the next attempt.
    if (this.#entries.length >= flushFrom && !this.#failed) this.#flush();
    else this.#flushLater();
  }

  /** Writes the rest. Gives up after a failure, or after a time in milliseconds. */
  async close(timeoutMs: number): Promise<void> {
    let isTimeOver = false;
    const writeRest = async () => {
      await this.#writing;
      do {
        this.#flush();
        await this.#writing;
      } while (!this.#isEmpty() && !this.#failed && !isTimeOver);
    };
    await Promise.race([writeRest(), sleep(timeoutMs, undefined, { ref: false })]);
    isTimeOver = true;
    clearTimeout(this.#timer);
    const lost = this.#entries.length + this.#inFlight;
    if (lost > 0) this.#observer?.dropped(lost);
    if (lost > 0) this.#log.warn({ entries: lost }, "request log not written at shutdown");
  }

  #isEmpty(): boolean {
    return this.#entries.length === 0 && this.#counts.size === 0 && this.#inFlight === 0;
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), flushAfterMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined; // Also if a batch is being written: its end sets the timer again.
    if (this.#writing) return;
    this.#dropOld();
    if (this.#isEmpty()) return;
    const entries = this.#entries.splice(0, maxBatch);
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    this.#inFlight = entries.length;
    this.#writing = this.#writeBatch(entries, counts).finally(() => {
      this.#writing = undefined;
      if (this.#entries.length >= flushFrom && !this.#failed) this.#flush();
      else if (!this.#isEmpty()) this.#flushLater();
    });
  }

  async #writeBatch(entries: ApiRequestEntry[], counts: ApiRequestCounts[]): Promise<void> {
    try {
      await this.#write(entries, counts);
      this.#observer?.written(entries.length);
      this.#failed = false;
      this.#inFlight = 0;
      if (this.#entries.length === 0) this.#logRecovery();
    } catch (error) {
      this.#failed = true;
      this.#inFlight = 0;
      this.#warnOnce(error);
      for (const each of counts) this.#addCounts(each);
      if (isDatabaseUnavailable(error)) this.#entries = [...entries, ...this.#entries];
      else this.#dropBatch(entries);
    }
  }

  #dropOld(): void {
    const from = Date.now() - longestKeptMs;
    const { old = [], others = [] } = Object.groupBy(this.#entries, ({ requestedAt }) =>
      requestedAt < from ? "old" : "others",
    );
    if (old.length === 0) return;
    this.#entries = others;
    this.#dropBatch(old);
  }

  /** Drops entries, for example because the database rejects them. Their requests are still counted. */
  #dropBatch(entries: ApiRequestEntry[]): void {
    for (const entry of entries) {
      this.#addCounts({ ...countsOf(entry, true), requests: 0, errors: 0, limited: 0 });
    }
    this.#drop(entries.length);
  }

  #addCounts(added: ApiRequestCounts): void {
    const key = `${added.organizationId} ${added.minute}`;
    const counts = this.#counts.get(key);
    if (!counts) {
      if (this.#counts.size < maxKept) this.#counts.set(key, { ...added });
      return;
    }
    counts.requests += added.requests;
    counts.errors += added.errors;
    counts.limited += added.limited;
    counts.dropped += added.dropped;
  }

  #drop(count: number): void {
    this.#warnOnce();
    this.#observer?.dropped(count);
    this.#dropped = (this.#dropped ?? 0) + count;
  }

  #warnOnce(error?: unknown): void {
    if (this.#dropped !== undefined) return;
    this.#dropped = 0;
    const problem = error === undefined ? "entries are dropped: too many requests" : "not written; retrying";
    this.#log.warn({ err: error }, `request log ${problem}`);
  }

  #logRecovery(): void {
    if (this.#dropped === undefined) return;
    this.#log.info({ dropped: this.#dropped }, "request log is written again");
    this.#dropped = undefined;
  }
}

function countsOf(entry: ApiRequestEntry, isDropped: boolean): ApiRequestCounts {
  const { organizationId, requestedAt, statusCode } = entry;
  return {
    organizationId,
    minute: requestedAt - (requestedAt % 60_000),
    requests: 1,
    errors: statusCode >= 400 ? 1 : 0,
    limited: statusCode === 429 ? 1 : 0,
    dropped: isDropped ? 1 : 0,
  };
}
