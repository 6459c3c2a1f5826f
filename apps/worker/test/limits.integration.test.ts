import { soon } from "@parley/webhooks/testing";
import { expect, test, vi } from "vitest";
import { startWorkerFixture } from "../src/testing/worker-fixture.ts";

test("the jobs apply the configured limits, and count what they removed", async () => {
  const fixture = await startWorkerFixture();
  const { organizationId } = fixture;
  await (await fixture.startScheduledWorker()).stop();
  const { id } = await fixture.subscribe("https://hooks.example.com/");
  await fixture.publish(3);
  await fixture.db.subscription.update({
    where: { id },
    data: {
      status: "failed",
      failedAt: new Date(),
      gapFrom: new Date(),
      failureReason: "receiver responded with 410",
    },
  });
  await fixture.db.$executeRaw`
    INSERT INTO events (id, organization_id, type, body, created_at)
    SELECT uuidv7(), ${organizationId}::uuid, 'lead.created', '{}', now() - i * interval '1 minute' FROM generate_series(1, 150) AS i`;
  await fixture.db
    .$executeRaw`INSERT INTO pgboss.job (name) VALUES ('pending-deliveries'), ('stored-events')`; // As the clock does.
  const { metricsUrl } = await fixture.startWorker({
    METRICS_PORT: "0",
    MAX_PENDING_DELIVERIES: "2",
    MAX_STORED_EVENTS: "100",
    NOTICE_URL: "http://127.0.0.1:9/",
    NOTICE_SECRET: "0123456789abcdef",
  });
  await vi.waitFor(async () => {
    expect(await fixture.db.delivery.count()).toBe(0);
    expect(await fixture.db.event.count()).toBe(100);
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(text).toMatch(/^parley_pending_deliveries_removed_total 3$/m);
    expect(text).toMatch(/^parley_stored_events_removed_total 53$/m);
    expect(text).toMatch(/^parley_subscription_changes_total{state="failed"} 1$/m);
  }, soon);
  expect(await fixture.db.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
    failureReason: expect.stringContaining("(failure before: receiver responded with 410)"),
  });
  expect(await fixture.db.notice.count({ where: { type: "subscription.failed" } })).toBe(1);
  await fixture.close();
});
