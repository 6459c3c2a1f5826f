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
const freeDeadEveryMs = 1_000;
const reopenAfterMs = 500;

/** Sends deliveries until it is stopped. When the database goes away it comes back by itself. */
export async function startWorker(options: WorkerOptions): Promise<DeliveryWorker> {
  const { connect, log, db } = options;
  const databaseClock = createDatabaseClock(db);
  const clock = options.clock ?? databaseClock.now;
  let stopped = false;
  let pump: Pump | undefined;
  let session: Session | undefined;

  async function open(): Promise<void> {
    const early: Announcement[] = [];
    session = await openSession(await connect(), {
      announced: (announcement) => (pump ? pump.announced(announcement) : early.push(announcement)),
      lost(error) {
        log.error({ err: error }, "the worker's database session was lost; its leases are free for others");
        pump?.abandon();
        pump = undefined;
        session = undefined;
        void reopen();
      },
    });
    await databaseClock.synchronize();
    pump = new Pump(session.workerId, { ...options, clock });
    for (const announcement of early) pump.announced(announcement);
    pump.look();
    log.info({ worker: session.workerId }, "the delivery worker is running");
  }

  async function reopen(): Promise<void> {
    while (!stopped && !session) {
      await new Promise((resolve) => setTimeout(resolve, reopenAfterMs));
      await open().catch((error: unknown) =>
        log.error({ err: error }, "the worker cannot reach the database"),
      );
    }
  }

  const looking = setInterval(() => pump?.look(), lookEveryMs);
  const sweeping = setInterval(() => {
    if (!session) return;
    void Promise.all([freeLeasesOfTheDead(db), databaseClock.synchronize()]).catch(() => undefined);
  }, freeDeadEveryMs);

  await open();

  return {
    async stop() {
      stopped = true;
      clearInterval(looking);
      clearInterval(sweeping);
      await pump?.stop();
      await session?.close();
    },
  };
}
