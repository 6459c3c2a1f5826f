/** One, two and four APIs behind nginx, and as many workers, with PostgreSQL, Redis and PgBouncer: what each costs, and what must hold. */

import { createSenders, type Tenant } from "@parley/database/testing/tenant";
import { findInstalled } from "@parley/testing/installed";
import { startPgBouncer } from "@parley/testing/pgbouncer";
import { startRedis } from "@parley/testing/redis";
import autocannon, { type Request } from "autocannon";
import type { Client } from "pg";
import { type Bench, runBench } from "./harness/bench.ts";
import type { Receiver } from "./harness/receiver.ts";
import { printTable, withSpread } from "./harness/report.ts";
import { createVariables, withClient } from "./harness/seed.ts";
import { nowMs, until } from "./harness/time.ts";
import { checkJobs, guarantees } from "./scale/guarantees.ts";
import { send } from "./scale/send.ts";
import { cpuSecondsOf, type Programs, type Servers, startServers } from "./scale/servers.ts";

/** Figures of one run. */
interface Figures {
  requests: number;
  p50: number;
  p99: number;
  apiCpu: number;
  connections: number;
  deliveries: number;
  workerCpu: number;
}

const columns: Record<keyof Figures, [heading: string, digits: number]> = {
  requests: ["requests/s", 0],
  p50: ["p50 ms", 1],
  p99: ["p99 ms", 1],
  apiCpu: ["API CPU ms/request", 2],
  connections: ["API connections", 0],
  deliveries: ["deliveries/s", 0],
  workerCpu: ["worker CPU ms/delivery", 2],
};

await runBench(async (bench) => {
  const programs = findPrograms();
  const databaseUrl = await bench.startDatabase();
  const redis = await startRedis(programs.redis, ["--save", "", "--dir", bench.folder]);
  const pooler = await startPgBouncer(programs.pgbouncer, databaseUrl);
  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const targetUrl = `${await receiver.call("start")}/steady`;
  const variables = { ...createVariables(databaseUrl), REDIS_URL: redis.url, SHUTDOWN_DELAY_MS: "0" };
  const pooled = { ...variables, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl };
  const sides: [name: string, count: number, variables: typeof variables][] = [
    ["1 API, 1 worker", 1, variables],
    ["2 APIs, 2 workers", 2, variables],
    ["4 APIs, 4 workers", 4, variables],
    ["4 APIs, 4 workers, PgBouncer", 4, pooled],
  ];
  await withClient(databaseUrl, async (client) => {
    const senders = await createSenders(client, 100, "business");
    const measured = new Map(sides.map(([name]) => [name, [] as Figures[]]));
    for (let round = 0; round < bench.rounds(3); round += 1) {
      for (const [name, count, side] of sides) {
        const servers = await startServers({ programs, variables: side, count });
        if (round === 0 && count === 1) await subscribeAll(servers.url, senders, targetUrl);
        measured.get(name)?.push(await measure(bench, servers, client, senders));
        await servers.stop();
        await closeConnections(client);
      }
    }
    printTable(
      ["", ...Object.values(columns).map(([heading]) => heading)],
      [...measured].map(([name, rounds]) => [
        name,
        ...Object.entries(columns).map(([figure, [, digits]]) =>
          withSpread(
            rounds.map((figures) => figures[figure as keyof Figures]),
            digits,
          ),
        ),
      ]),
    );
    await checkGuarantees(bench, await startServers({ programs, variables, count: 4 }), client, senders);
  });
  await pooler.stop();
  await redis.stop();
});

function findPrograms(): Programs {
  const find = (name: string) => {
    const path = findInstalled(name, "measurements of several processes");
    if (path === null)
      throw new Error(`${name} is needed: apt-get install nginx-light redis-server pgbouncer`);
    return path;
  };
  return { nginx: find("nginx"), redis: find("redis-server"), pgbouncer: find("pgbouncer") };
}

async function subscribeAll(url: string, senders: Tenant[], target_url: string): Promise<void> {
  for (const { token } of senders) {
    const response = await send(url, "POST", "/api/v1/webhooks/subscribe", token, {
      target_url,
      event_types: ["lead.created"],
    });
    if (response.status !== 201)
      throw new Error(`void: not subscribed: ${response.status} ${await response.text()}`);
  }
}

/** GET and POST of leads in turn, with the tokens of all senders in turn. */
function requestsOf(senders: Tenant[]): Request[] {
  return senders.flatMap(({ token, chatbotId }): Request[] => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ chatbot_id: chatbotId, contact: { name: "Ada Novak" } });
    return [
      { method: "POST", path: "/api/v1/leads", headers, body },
      { method: "GET", path: "/api/v1/leads?limit=10", headers },
    ];
  });
}

/** Measures requests without workers, and then how fast the workers send the deliveries that these requests made. */
async function measure(bench: Bench, servers: Servers, client: Client, senders: Tenant[]): Promise<Figures> {
  const { url, apis, workers } = servers;
  const load = { url, requests: requestsOf(senders), connections: 16 };
  await autocannon({ ...load, duration: (bench.quick ? 1 : 3) * apis.length }); // Each process compiles its code first.
  const cpuBefore = cpuSecondsOf(apis);
  const result = await autocannon({ ...load, duration: bench.quick ? 2 : 6 });
  const apiSeconds = cpuSecondsOf(apis) - cpuBefore;
  const { non2xx, errors, timeouts, latency, duration, "2xx": succeeded } = result;
  if (non2xx + errors + timeouts > 0)
    throw new Error(`void: ${non2xx} refused, ${errors} failed, ${timeouts} timed out`);
  const connections = await countConnections(client);

  const pending = bench.quick ? 2_000 : 20_000;
  await postpone(client, pending);
  await servers.startWorkers();
  const workerBefore = cpuSecondsOf(workers);
  const startedAt = nowMs();
  await client.query("UPDATE deliveries SET next_at = now()");
  await until(async () => (await countPending(client)) === 0, {
    everyMs: 20,
    withinMs: 60_000,
    message: "void: deliveries are pending",
  });
  const seconds = (nowMs() - startedAt) / 1_000;
  return {
    requests: succeeded / duration,
    p50: latency.p50,
    p99: latency.p99,
    apiCpu: (apiSeconds / succeeded) * 1_000,
    connections,
    deliveries: pending / seconds,
    workerCpu: ((cpuSecondsOf(workers) - workerBefore) / pending) * 1_000,
  };
}

/** Makes this number of deliveries out of the pending ones, which are not due yet. */
async function postpone(client: Client, count: number): Promise<void> {
  await client.query(
    `WITH old AS (DELETE FROM deliveries RETURNING organization_id, subscription_id, event_id)
     INSERT INTO deliveries (organization_id, subscription_id, event_id, redelivery, next_at)
     SELECT old.*, true, now() + interval '1 hour' FROM generate_series(1, $1), old LIMIT $1`,
    [count],
  );
  await client.query("VACUUM ANALYZE deliveries, events");
}

async function countPending(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM deliveries");
  return rows[0]?.count ?? 0;
}

/** Closes the connections that PgBouncer keeps, so that the next run counts only those of its servers. */
async function closeConnections(client: Client): Promise<void> {
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
}

async function countConnections(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  return rows[0]?.count ?? 0;
}

/** Checks what must hold with four APIs and workers while requests are sent. */
async function checkGuarantees(
  bench: Bench,
  servers: Servers,
  client: Client,
  senders: Tenant[],
): Promise<void> {
  await servers.startWorkers();
  const load = { url: servers.url, requests: requestsOf(senders), connections: 4, duration: 600 };
  const { running, finished } = startLoad(load);
  const rows: string[][] = [];
  for (const [name, check] of Object.entries(guarantees)) rows.push([name, await check(servers, client)]);
  if (!bench.quick) rows.push(["no job runs twice", await checkJobs(servers, client)]);
  running.stop();
  const { non2xx, errors } = await finished;
  if (errors > 0) throw new Error(`void: ${errors} of the other requests failed`);
  rows.push(["other requests meanwhile", `${non2xx} refused by rate limits, ${errors} failed`]);
  printTable(["with 4 APIs and 4 workers under load", "result"], rows);
  await servers.stop();
}

function startLoad(load: autocannon.Options) {
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const running = autocannon(load, (error, result) => (error ? reject(error) : resolve(result)));
  return { running, finished: promise };
}
