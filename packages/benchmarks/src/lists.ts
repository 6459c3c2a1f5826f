/** `GET /api/v1/leads?limit=20` through the whole server, against a bare Fastify route with the same SQL. */
import { deepStrictEqual } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type Bench, runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import type { RealServer } from "./harness/real-server.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import type { BareServer } from "./lists/bare-server.ts";
import type { LoadGenerator, Target } from "./lists/load.ts";
import { seedLeads } from "./lists/seed.ts";

interface Side {
  server: Child<RealServer> | Child<BareServer>;
  target: Target;
}

interface Figures {
  perSecond: number;
  /** CPU time of the server's process for one request, in milliseconds. */
  cpuMs: number;
}

type Round = Record<"real" | "bare", Figures>;

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const tenants = await seedLeads(databaseUrl);
  const real = bench.start<RealServer>("harness/real-server.ts");
  const bare = bench.start<BareServer>("lists/bare-server.ts");
  const load = bench.start<LoadGenerator>("lists/load.ts");
  const realUrl = await real.call("start", {
    DATABASE_URL: databaseUrl,
    PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  });
  const organizationIds = Object.values(tenants).map(({ organizationId }) => organizationId);
  const bareUrl = await bare.call("start", databaseUrl, organizationIds);

  const results = new Map<string, Round[]>();
  for (const [size, { organizationId, token }] of Object.entries(tenants)) {
    const headers = { authorization: `Bearer ${token}` };
    const sides: Record<keyof Round, Side> = {
      real: { server: real, target: { url: `${realUrl}/api/v1/leads?limit=20`, headers } },
      bare: {
        server: bare,
        target: { url: `${bareUrl}/organizations/${organizationId}/leads`, headers: {} },
      },
    };
    await refuseDifference(sides.real.target, sides.bare.target);
    results.set(size, await measureInTurn(bench, load, sides));
  }
  report(results);
});

/** Both must give the same answer, or the comparison means nothing. */
async function refuseDifference(...targets: Target[]): Promise<void> {
  const [real, bare] = await Promise.all(
    targets.map(async ({ url, headers }) => (await fetch(url, { headers })).json()),
  );
  deepStrictEqual(real, bare);
}

async function measureInTurn(
  { quick }: Bench,
  load: Child<LoadGenerator>,
  { real, bare }: Record<keyof Round, Side>,
): Promise<Round[]> {
  const seconds = quick ? 1 : 2;
  for (const side of [real, bare]) await measure(load, side, seconds);
  const rounds: Round[] = [];
  while (rounds.length < (quick ? 2 : 12)) {
    rounds.push({ real: await measure(load, real, seconds), bare: await measure(load, bare, seconds) });
  }
  return rounds;
}

async function measure(
  load: Child<LoadGenerator>,
  { server, target }: Side,
  seconds: number,
): Promise<Figures> {
  const before = await server.call("cpuSeconds");
  const { requests, perSecond } = await load.call("run", target, seconds);
  const after = await server.call("cpuSeconds");
  return { perSecond, cpuMs: ((after - before) / requests) * 1_000 };
}

function report(results: Map<string, Round[]>): void {
  const sizes = [...results].map(([size, rounds]) => ({
    size,
    rounds,
    ratio: rounds.map(({ real, bare }) => real.perSecond / bare.perSecond),
    cpu: rounds.map(({ real, bare }) => real.cpuMs / bare.cpuMs),
  }));
  printTable(
    ["organization", "server", "requests/s", "CPU ms/request"],
    sizes.flatMap(({ size, rounds }) =>
      (["real", "bare"] as const).map((side) => [
        size,
        side,
        withSpread(
          rounds.map((round) => round[side].perSecond),
          0,
        ),
        withSpread(
          rounds.map((round) => round[side].cpuMs),
          3,
        ),
      ]),
    ),
  );
  for (const { size, cpu } of sizes) console.log(`CPU a request, real to bare, ${size}: ${withSpread(cpu)}`);
  console.log(
    `ratio of requests/s, real to bare: ${sizes.map(({ size, ratio }) => `${size} ${withSpread(ratio)}`).join(", ")}`,
  );
}
