import { connect } from "@parley/database";
import { createEmptyDatabase } from "@parley/database/testing";
import { createSenders } from "@parley/database/testing/tenant";
import { freePort } from "@parley/testing/free-port";
import { findInstalled } from "@parley/testing/installed";
import { startLeadLoad } from "@parley/testing/lead-load";
import { startNginx } from "@parley/testing/nginx";
import { type ParleyProcess, startApiProcess, startWorkerProcess } from "@parley/testing/parley-process";
import { expect, test } from "vitest";
import { inTurn, startReceiver, subscribe } from "./lead-events.ts";
import { baseline, checkoutOf } from "./release.ts";

const nginx = findInstalled("nginx", "drills of upgrades");

/** The delay is longer than the keep-alive time of nginx. */
const variables = { SHUTDOWN_DELAY_MS: "2500", TRUST_PROXY: "true", WEBHOOKS_ALLOW_LOOPBACK: "true" };

test.skipIf(nginx === null)(
  "two APIs and two workers are upgraded and restarted one by one under load: no request fails, no event is lost",
  async () => {
    const previous = checkoutOf(baseline);
    const database = await createEmptyDatabase();
    const receiver = await startReceiver();
    const all = { ...variables, DATABASE_URL: database.url };
    const ports = [await freePort(), await freePort()] as const;
    const apis = await inTurn([0, 1], (i) =>
      startApiProcess(all, { port: ports[i as 0 | 1], root: previous }),
    );
    const workers = await inTurn([0, 1], () => startWorkerProcess(all, { root: previous }));
    const client = await connect(database.url);
    const senders = await createSenders(client, 40, "business");
    await client.end();
    const proxy = await startNginx(nginx ?? "", ports);
    await inTurn(senders, ({ token }) => subscribe(proxy.url, token, receiver.url));
    const load = startLeadLoad(proxy.url, senders);
    const steps: [step: string, seconds: number, requests: number][] = [];

    async function step(name: string, work: () => Promise<unknown>): Promise<void> {
      const [startedAt, before] = [performance.now(), load.succeeded()];
      await work();
      steps.push([name, (performance.now() - startedAt) / 1_000, load.succeeded() - before]);
      expect(load.succeeded()).toBeGreaterThan(before);
    }
    async function restart(
      processes: ParleyProcess[],
      i: number,
      start: () => Promise<ParleyProcess>,
    ): Promise<void> {
      expect(await processes[i]?.stop()).toBe(0);
      processes[i] = await start();
    }

    try {
      await expect.poll(() => load.succeeded(), { timeout: 20_000 }).toBeGreaterThan(200);
      for (const i of [0, 1] as const) {
        await step(`API ${i + 1}, upgraded`, () =>
          restart(apis, i, () => startApiProcess(all, { port: ports[i] })),
        );
      }
      for (const i of [0, 1]) {
        await step(`worker ${i + 1}, upgraded`, () => restart(workers, i, () => startWorkerProcess(all)));
      }
      for (const i of [0, 1] as const) {
        await step(`API ${i + 1}, restarted`, () =>
          restart(apis, i, () => startApiProcess(all, { port: ports[i] })),
        );
      }
      await load.stop();
      expect(load.failures).toEqual([]);
      await expect.poll(() => missing(load.created, receiver.leads).length, { timeout: 60_000 }).toBe(0);
      expect(await finalState(database.url)).toEqual({
        events: load.created.size,
        pending: 0,
        exhausted: 0,
        failed: 0,
      });
      report(steps, load.created.size, load.slowestMs());
    } finally {
      await load.stop();
      await proxy.stop();
      for (const process of [...apis, ...workers]) process.signal("SIGKILL");
      await Promise.all([...apis, ...workers].map(({ exited }) => exited));
      receiver.close();
      await database.release();
    }
  },
  600_000,
);

function report(steps: [string, number, number][], events: number, slowestMs: number): void {
  const requests = steps.reduce((sum, [, , count]) => sum + count, 0);
  const lines = steps.map(([name, seconds, count]) => `| ${name} | ${seconds.toFixed(1)} s | ${count} | 0 |`);
  console.log(
    [
      "| step | duration | requests | failed |",
      "| --- | --- | --- | --- |",
      ...lines,
      `| all | | ${requests} | 0 |`,
      `${events} events, 0 lost. The slowest request took ${Math.round(slowestMs)} ms.`,
    ].join("\n"),
  );
}

function missing(created: Set<string>, delivered: Set<string>): string[] {
  return [...created].filter((id) => !delivered.has(id));
}

async function finalState(url: string): Promise<Record<string, number>> {
  const client = await connect(url);
  const { rows } = await client.query<Record<string, number>>(`
    SELECT (SELECT count(*)::int FROM events) AS events, (SELECT count(*)::int FROM deliveries) AS pending,
      (SELECT count(*)::int FROM delivery_attempts WHERE outcome = 'exhausted') AS exhausted,
      (SELECT count(*)::int FROM subscriptions WHERE status <> 'active' OR failure_count > 0) AS failed`);
  await client.end();
  return rows[0] ?? {};
}
