import type { Client, Pool } from "pg";
import type { Notification } from "../notifications.ts";
import { withTimeLimit } from "../statements.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { DeliveryLoop } from "./delivery-loop.ts";
import { isolate } from "./isolate.ts";
import { freeAbandonedLeases, readAllLeases } from "./leases.ts";
import type { DeliveryLoopOptions } from "./options.ts";
import { openSession, type Session } from "./session.ts";
import { Step } from "./step.ts";

export interface WorkerOptions extends Omit<DeliveryLoopOptions, "clock" | "db"> {
  db: Pool;
  /** Milliseconds since 1970. Default: the database's clock. */
  clock?: (() => number) | undefined;
  /** Opens the connection of a session. */
  connect: () => Promise<Client>;
  intervals?: Partial<typeof defaultIntervals>;
}

/** Times in milliseconds. */
const defaultIntervals = {
  /** Interval for finding pending deliveries whose notification was lost. */
  lookMs: 500,
  /** Interval for checking the session, freeing abandoned leases, leaving leases to other workers and synchronizing the clock. */
  sweepMs: 1_000,
  /** Time after which a lost session is opened again. */
  reopenMs: 500,
  /** Time after which a fault is reported as a problem. */
  problemMs: 5_000,
  /** Time after which a statement fails and is repeated. */
  statementMs: 10_000,
};

export interface DeliveryWorker {
  /** Returns the reason if the worker does not deliver; null if it does. Faults of less than `intervals.problemMs` are not reported. */
  problem(): string | null;
  /** Finishes the attempts in flight, which takes at most the timeout of an attempt, and stops. */
  stop(): Promise<void>;
}

/** Starts a worker, which delivers until it is stopped. After database failures it recovers automatically. */
export async function startWorker(options: WorkerOptions): Promise<DeliveryWorker> {
  const { connect, log, observer } = options;
  const intervals = { ...defaultIntervals, ...options.intervals };
  const db = withTimeLimit(options.db, intervals.statementMs);
  const databaseClock = createDatabaseClock(db);
  const clock = options.clock ?? (() => databaseClock.now());
  let stopped = false;
  let running: { loop: DeliveryLoop; session: Session } | undefined;
  /** When the last session ended; ms of the monotonic clock. */
  let lostAt = performance.now();
  /** Loops that lost their session and still record results. */
  const retired = new Set<DeliveryLoop>();
  let reopening = Promise.resolve();
  const sweeping = new Step("sweep", options);
  let isSweeping = false;

  async function open(): Promise<void> {
    await databaseClock.synchronize();
    const early: Notification[] = [];
    let loop: DeliveryLoop | undefined;
    const session = await openSession(await connect(), {
      notified: (notification) => void (loop ? loop.notified(notification) : early.push(notification)),
      malformed(error) {
        observer?.notificationDropped?.();
        log.warn({ err: error }, "malformed notification ignored");
      },
      lost(error) {
        log.error({ err: error }, "database session lost; other workers can take the leases");
        const before = running?.loop;
        running = undefined;
        lostAt = performance.now();
        if (stopped) return before?.abandon();
        if (before) void retire(before);
        reopening = reopen();
      },
    });
    // There is no await between opening the session and creating its loop, so that a session always has a loop.
    loop = new DeliveryLoop(session.workerId, { ...options, db, clock });
    running = { loop, session };
    for (const notification of early) loop.notified(notification);
    loop.look();
    log.info({ worker: session.workerId }, "delivery worker started");
  }

  async function retire(loop: DeliveryLoop): Promise<void> {
    retired.add(loop);
    await loop.retire();
    retired.delete(loop);
  }

  async function reopen(): Promise<void> {
    while (!stopped && !running) {
      await new Promise((resolve) => setTimeout(resolve, intervals.reopenMs));
      await open().catch((error: unknown) => log.error({ err: error }, "database unreachable; retrying"));
    }
  }

  /** Checks the session, frees abandoned leases, leaves leases to other workers and synchronizes the clock. Sweeps that take long do not overlap. */
  async function sweep(): Promise<void> {
    if (!running) return;
    running.session.check();
    if (isSweeping) return;
    isSweeping = true;
    await sweeping.run(recover);
    isSweeping = false;
  }

  async function recover(): Promise<void> {
    await Promise.all([recoverLeases(), databaseClock.synchronize()]);
  }

  async function recoverLeases(): Promise<void> {
    const { abandoned, ...all } = await readAllLeases(db);
    running?.loop.balance(all);
    if (abandoned.length === 0) return;
    const { failed } = await isolate(abandoned, async (ids) => {
      await freeAbandonedLeases(db, ids);
      return [];
    });
    if (failed.length < abandoned.length) running?.loop.look();
    const [first] = failed;
    if (first)
      throw new Error(`${failed.length} leases cannot be freed, first ${first.item}`, { cause: first.error });
  }

  /** Checks whether a fault has lasted long enough to be a problem. @param since ms of the monotonic clock */
  function lasts(since: number | null): boolean {
    return since !== null && performance.now() - since > intervals.problemMs;
  }

  await open();
  const looks = setInterval(() => running?.loop.look(), intervals.lookMs);
  const sweeps = setInterval(() => void sweep(), intervals.sweepMs);

  return {
    problem() {
      if (!running) return lasts(lostAt) ? "no database session" : null;
      if (lasts(running.loop.troubledSince)) return "deliveries cannot be read or recorded";
      return lasts(sweeping.troubledSince) ? "leases of other workers cannot be recovered" : null;
    },
    async stop() {
      stopped = true;
      clearInterval(looks);
      for (const loop of retired) loop.abandon();
      await reopening;
      await running?.loop.stop(); // The session is still checked, so that an unresponsive database does not block this.
      clearInterval(sweeps);
      await running?.session.close();
    },
  };
}
