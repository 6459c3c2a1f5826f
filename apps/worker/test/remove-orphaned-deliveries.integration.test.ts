import { respondingWith, soon } from "@parley/webhooks/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { removeOrphanedDeliveries } from "../src/jobs/remove-orphaned-deliveries.ts";
import { startWorkerFixture, type WorkerFixture } from "../src/testing/worker-fixture.ts";

let fixture: WorkerFixture;
beforeAll(async () => {
  fixture = await startWorkerFixture();
});
afterEach(() => fixture.reset());
afterAll(() => fixture.close());

/** Adds pending deliveries, logged attempts and counts to a subscription. */
async function addDeliveries(subscriptionId: string, count: number): Promise<void> {
  await fixture.db.$executeRaw`
    WITH pending AS (
      INSERT INTO deliveries (organization_id, subscription_id, event_id)
      SELECT ${fixture.organizationId}::uuid, ${subscriptionId}::uuid, (SELECT id FROM events LIMIT 1)
      FROM generate_series(1, ${count}::int) RETURNING id, subscription_id, event_id
    )
    INSERT INTO delivery_attempts
      (delivery_id, attempt, attempted_at, organization_id, subscription_id, event_id, event_type, outcome, duration_ms)
    SELECT id, 1, now(), ${fixture.organizationId}::uuid, subscription_id, event_id, 'lead.created', 'failed', 1 FROM pending`;
  await fixture.db.$executeRaw`
    INSERT INTO delivery_counts (subscription_id, organization_id, hour, delivered, failed, exhausted)
    SELECT ${subscriptionId}::uuid, ${fixture.organizationId}::uuid, date_trunc('hour', now()) - hour * interval '1 hour', 0, 1, 0
    FROM generate_series(1, 720) AS hour`;
}

async function rowsOf(subscriptionId: string): Promise<number[]> {
  const where = { subscriptionId };
  const { delivery, deliveryAttempt, deliveryCount } = fixture.db;
  return Promise.all([
    delivery.count({ where }),
    deliveryAttempt.count({ where }),
    deliveryCount.count({ where }),
  ]);
}

test("removes deliveries, attempts and counts of deleted subscriptions, in batches, and keeps the others", async () => {
  const gone = await fixture.subscribe("https://gone.example.com/");
  const kept = await fixture.subscribe("https://kept.example.com/");
  await fixture.publish(1);
  await addDeliveries(gone.id, 2_500);
  await addDeliveries(kept.id, 10);
  await fixture.db.$executeRaw`CREATE TABLE deleted (name text, rows int)`;
  await fixture.db.$executeRaw`
    CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO deleted SELECT TG_TABLE_NAME, count(*) FROM gone;
      RETURN NULL;
    END $$`;
  for (const table of ["deliveries", "delivery_attempts"]) {
    await fixture.db.$executeRawUnsafe(`CREATE TRIGGER count_deleted AFTER DELETE ON ${table}
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`);
  }
  await removeOrphanedDeliveries(fixture.pool);
  expect(await rowsOf(gone.id)).toEqual([2_501, 2_500, 720]);

  await fixture.db.subscription.delete({ where: { id: gone.id } });
  await removeOrphanedDeliveries(fixture.pool);
  expect([await rowsOf(gone.id), await rowsOf(kept.id)]).toEqual([
    [0, 0, 0],
    [11, 10, 720],
  ]);
  const batches = await fixture.db.$queryRaw<{ name: string; largest: number; total: number }[]>`
    SELECT name, max(rows) AS largest, sum(rows)::int AS total FROM deleted GROUP BY name ORDER BY name`;
  expect(batches).toEqual([
    { name: "deliveries", largest: 1_000, total: 2_501 },
    { name: "delivery_attempts", largest: 1_000, total: 2_500 },
  ]);
  await fixture.pool.query("DROP FUNCTION count_deleted CASCADE; DROP TABLE deleted");
});

test("does not send a deleted subscription's deliveries before they are removed", async () => {
  const receiver = await fixture.startReceiver(respondingWith(200));
  const other = await fixture.startReceiver(respondingWith(200));
  const gone = await fixture.subscribe(receiver.url);
  await fixture.subscribe(other.url);
  await fixture.publish(3);
  await fixture.db.subscription.delete({ where: { id: gone.id } });
  await fixture.startWorker();
  await vi.waitFor(() => expect(other.received).toHaveLength(3), soon);
  expect(receiver.received).toEqual([]);
  expect((await rowsOf(gone.id))[0]).toBe(3);
});
