import { connect, createPool } from "@parley/database";
import { startSilentProxy } from "@parley/database/testing";
import type { Client, Pool, QueryConfig } from "pg";
import type { Dispatcher } from "undici";
import { describe, expect, test, vi } from "vitest";
import { createHttpClient } from "../src/index.ts";
import { attemptsReach, holding, soon, useDeliveryFixture } from "../src/testing/index.ts";

const { fixture, receiver } = useDeliveryFixture();

const cut = new Error("Connection terminated unexpectedly");

/** Returns a pool that closes the connection after a statement of a name has run, so that its response is lost. */
function losing(name: string, times = 1): { db: Pool; lost: () => number } {
  let lost = 0;
  const query = async (config: QueryConfig) => {
    const response = await fixture.pool.query(config);
    if (config.name !== name || lost === times) return response;
    lost += 1;
    throw cut;
  };
  return { db: { query } as unknown as Pool, lost: () => lost };
}

/** Waits until the log has a number of finished deliveries and none is pending. */
async function allDelivered(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const delivered = await fixture.db.deliveryAttempt.count({ where: { outcome: "delivered" } });
    expect([delivered, await fixture.db.delivery.count()]).toEqual([count, 0]);
  }, soon);
}

describe("when the response is lost to", () => {
  test("recording results, the results are recorded once, and sending continues", async () => {
    await fixture.subscribe(receiver.url);
    const { db, lost } = losing("record-results");
    await fixture.startWorker({ db });
    await fixture.publish(3);
    await allDelivered(3);
    await fixture.publish(3);
    await allDelivered(6);
    expect(lost()).toBe(1);
    expect(await fixture.db.deliveryAttempt.count()).toBe(6);
    expect(receiver.received).toHaveLength(6);
  });

  test("recording a failure, the failure is counted once, with one notice", async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    const { id } = await fixture.subscribe(receiver.url);
    const { db, lost } = losing("record-results", 2);
    await fixture.startWorker({ db, notices: true });
    await fixture.publish(1);
    await vi.waitFor(() => expect(lost()).toBe(2), soon);
    await fixture.publish(1);
    await vi.waitFor(async () => {
      const row = await fixture.db.subscription.findUniqueOrThrow({
        where: { id },
        include: { queue: true },
      });
      expect(row).toMatchObject({ failureCount: 1, queue: { leaseWorker: null } });
    }, soon);
    expect(await fixture.db.deliveryAttempt.count()).toBe(1);
    expect(await fixture.db.notice.count()).toBe(1);
  });

  test("recording a recovery, one notice is sent", async () => {
    const { id } = await fixture.subscribe(receiver.url);
    // As `resume` leaves it: active, and the reason stays until a delivery succeeds.
    await fixture.db.subscription.update({
      where: { id },
      data: { failureReason: "the receiver responded with 503" },
    });
    const { db, lost } = losing("record-results");
    await fixture.startWorker({ db, notices: true });
    await fixture.publish(1);
    await vi.waitFor(() => expect(lost()).toBe(1), soon);
    await fixture.publish(1);
    await allDelivered(2);
    const notices = await fixture.db.notice.findMany();
    expect(notices.map(({ type }) => type)).toEqual(["subscription.recovered"]);
    expect((await fixture.db.subscription.findUniqueOrThrow({ where: { id } })).failureReason).toBeNull();
  });

  test.each([
    "take-leases",
    "fetch-pending",
    "return-leases",
    "find-pending-subscriptions",
    "read-all-leases",
  ])("%s, everything is still delivered once", async (name) => {
    for (let i = 0; i < 3; i += 1) await fixture.subscribe(receiver.url);
    const { db, lost } = losing(name);
    await fixture.startWorker({ db, intervals: { sweepMs: 200 } });
    await fixture.publish(1);
    await attemptsReach(fixture, 3);
    fixture.clock.ahead += 2_000; // The leases are returned.
    await vi.waitFor(() => expect(lost()).toBe(1), soon);
    await fixture.publish(1);
    await allDelivered(6);
    expect(receiver.received).toHaveLength(6);
  });
});

test("a worker that lost a lease without noticing it stops sending to the subscription", async () => {
  const { id } = await fixture.subscribe(receiver.url);
  const waiting: (() => void)[] = [];
  receiver.respond = (response) => void waiting.push(() => response.end());
  await fixture.publish(20);
  await fixture.startWorker({ maxInFlightPerSubscription: 1, intervals: { sweepMs: 200 } });
  await vi.waitFor(() => expect(waiting).toHaveLength(1), soon);

  const other = await connect(fixture.databaseUrl); // Its lock makes the lease valid until it ends.
  await other.query("SELECT pg_advisory_lock(42)");
  await fixture.db.subscriptionQueue.update({ where: { subscriptionId: id }, data: { leaseWorker: 42n } });
  receiver.respond = (response) => response.end();
  waiting[0]?.();
  await other.end();
  await allDelivered(20);
  // Deliveries in flight were sent again. Of the 4 fetched ones, some were sent before the worker noticed.
  expect(receiver.received.length).toBeGreaterThan(20);
  expect(receiver.received.length).toBeLessThanOrEqual(25);
});

test("a network that drops the packets of all connections delays deliveries for as long as a statement may take", async () => {
  const proxy = await startSilentProxy(fixture.databaseUrl);
  const db = createPool(proxy.url, { poolSize: 4 });
  await fixture.subscribe(receiver.url);
  const intervals = { statementMs: 1_000, sweepMs: 200 };
  await fixture.startWorker({ db, connect: () => connect(proxy.url), intervals });
  const { respond, release } = holding();
  receiver.respond = respond;
  await fixture.publish(1);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon); // The worker has the lease.
  proxy.dropPackets();
  release((response) => response.end());
  await fixture.publish(3);
  await attemptsReach(fixture, 4);
  await fixture.stop();
  expect(new Set(receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).size).toBe(4);
  proxy.close();
  await db.end();
});

describe("a worker that lost its session", () => {
  /** Terminates the worker's session. */
  async function cutSession(): Promise<void> {
    await fixture.db.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  }

  test("records attempts in flight, so that nothing is sent twice", async () => {
    const waiting: (() => void)[] = [];
    receiver.respond = (response) => void waiting.push(() => response.end());
    await fixture.subscribe(receiver.url);
    await fixture.publish(8);
    const lost = vi.fn<(details: object, message: string) => void>();
    await fixture.startWorker({ log: { info() {}, warn() {}, error: lost } });
    await vi.waitFor(() => expect(waiting).toHaveLength(8), soon);
    await cutSession();
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), { ...soon, interval: 1 });
    for (const respond of waiting) respond();
    await allDelivered(8);
    expect(receiver.received).toHaveLength(8);
  });

  /** Closes the connection at LISTEN, after the lock was granted. */
  function loseAtListen(client: Client): void {
    const query = client.query.bind(client) as (text: string, values?: unknown[]) => Promise<unknown>;
    const losing = (text: string, values?: unknown[]) =>
      query(text.startsWith("LISTEN") ? "SELECT pg_terminate_backend(pg_backend_pid())" : text, values);
    Object.assign(client, { query: losing });
  }

  test("recovers if the connection is lost again while it opens the next session", async () => {
    const opened: Client[] = [];
    await fixture.subscribe(receiver.url);
    const worker = await fixture.startWorker({
      async connect() {
        const client = await connect(fixture.databaseUrl);
        opened.push(client);
        if (opened.length === 2) loseAtListen(client);
        return client;
      },
    });
    await cutSession();
    await vi.waitFor(() => expect(opened).toHaveLength(3), soon);
    await fixture.publish(3);
    await allDelivered(3);
    await worker.stop();
    await vi.waitFor(async () => expect(await sessions()).toBe(0), soon);
  });

  test("sends no delivery in order that it had not begun to send", async () => {
    await fixture.subscribe(receiver.url, { ordering: "record" });
    const other = await fixture.startReceiver();
    await fixture.subscribe(other.url); // In any order.
    const connected = Promise.withResolvers<void>();
    let waiting = 0;
    const http = createHttpClient({ connectTimeoutMs: 60_000, allowLoopback: true });
    const dispatch: Dispatcher["dispatch"] = (...request) => {
      waiting += 1;
      if (waiting > 2) return http.dispatch(...request);
      void connected.promise.then(() => http.dispatch(...request));
      return true;
    };
    const client = { dispatch } as Dispatcher;
    await fixture.startWorker({ client });
    await fixture.publish(1);
    await vi.waitFor(() => expect(waiting).toBe(2), soon);
    await cutSession(); // The worker opens another session and sends everything again.
    await fixture.publish(1);
    await vi.waitFor(() => expect([receiver.received.length, other.received.length]).toEqual([2, 2]), soon);
    connected.resolve();
    await vi.waitFor(() => expect(other.received).toHaveLength(3), soon);
    await fixture.stop();
    expect(receiver.received).toHaveLength(2);
    await http.close();
  });

  test("recovers if querying the database's time fails at first", async () => {
    let refused = 0;
    let refuse = false;
    const query = async (statement: QueryConfig) => {
      const asksTheTime = statement.text.includes("clock_timestamp");
      if (refuse && asksTheTime && refused++ < 2) throw cut;
      return fixture.pool.query(statement);
    };
    await fixture.subscribe(receiver.url);
    await fixture.startWorker({ db: { query } as unknown as Pool });
    refuse = true;
    await cutSession();
    await vi.waitFor(() => expect(refused).toBeGreaterThan(1), soon);
    await fixture.publish(3);
    await allDelivered(3);
  });

  async function sessions(): Promise<number> {
    const rows = await fixture.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return rows.length;
  }
});
