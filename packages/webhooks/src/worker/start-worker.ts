import type { Client } from "pg";
import type { Announcement } from "../publish/announce.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { freeLeasesOfTheDead } from "./leases.ts";
import type { PumpOptions } from "./options.ts";
import { Pump } from "./pump.ts";
import { openSession, type Session } from "./session.ts";

export interface WorkerOptions extends Omit<PumpOptions, "clock"> {
  /** Milliseconds since 1970; the database's clock, unless it is given. */
  clock?: (() => number) | undefined;
  /** Opens the connection of one session. */
  connect: () => Promise<Client>;
}

export interface DeliveryWorker {
  /** Finishes what is on its way (at most one attempt's time-out) and stops. */
  stop(): Promise<void>;
}

/** Announcements may be lost; this finds what they missed. */
const lookEveryMs = 500;
const sweepEveryMs = 1_000;
const reopenAfterMs = 500;

/** Sends deliveries until it is stopped. When the database goes away it comes back by itself. */
export async function startWorker(options: WorkerOptions): Promise<DeliveryWorker> {
  const { connect, log, db } = options;
  const databaseClock = createDatabaseClock(db);
  const clock = options.clock ?? (() => databaseClock.now());
  let stopped = false;
  let running: { pump: Pump; session: Session } | undefined;
  /** Pumps that lost their session and still record. */
  const retired = new Set<Pump>();
  let reopening = Promise.resolve();

  async function open(): Promise<void> {
    await databaseClock.synchronize();
    const early: Announcement[] = [];
    let pump: Pump | undefined;
    const session = await openSession(await connect(), {
      announced: (announcement) => void (pump ? pump.announced(announcement) : early.push(announcement)),
      lost(error) {
        log.error({ err: error }, "the worker's database session was lost; its leases are free for others");
        const before = running?.pump;
        running = undefined;
        if (stopped) return before?.abandon();
        if (before) void retire(before);
        reopening = reopen();
      },
    });
    // Nothing is waited for between the session and its pump: there is never one without the other.
    pump = new Pump(session.workerId, { ...options, clock });
    running = { pump, session };
    for (const announcement of early) pump.announced(announcement);
    pump.look();
    log.info({ worker: session.workerId }, "the delivery worker is running");
  }

  async function retire(pump: Pump): Promise<void> {
    retired.add(pump);
    await pump.retire();
    retired.delete(pump);
  }

  async function reopen(): Promise<void> {
    while (!stopped && !running) {
      await new Promise((resolve) => setTimeout(resolve, reopenAfterMs));
      await open().catch((error: unknown) =>
        log.error({ err: error }, "the worker cannot reach the database"),
      );
    }
  }

  /** What has to be done every second; what fails is done in the next one. */
  async function sweep(): Promise<void> {
    running?.session.check();
    const [freed] = await Promise.all([freeLeasesOfTheDead(db), databaseClock.synchronize()]);
    if (freed > 0) running?.pump.look();
  }

  await open();
  const looking = setInterval(() => running?.pump.look(), lookEveryMs);
  const sweeping = setInterval(() => {
    if (running) void sweep().catch(() => undefined);
  }, sweepEveryMs);

  return {
    async stop() {
      stopped = true;
      clearInterval(looking);
      clearInterval(sweeping);
      for (const pump of retired) pump.abandon();
      await reopening;
      await running?.pump.stop();
      await running?.session.close();
    },
  };
}
