/** The cost of finding the caller of a cached token. See README.md. */
import { createCallerLookup } from "@parley/api/caller-lookup";
import { createDatabase, type Database } from "@parley/database";
import Fastify from "fastify";
import { runBench } from "./harness/bench.ts";
import { cpuSeconds } from "./harness/child.ts";
import { compareSides } from "./harness/report.ts";
import { createTenant, withClient } from "./harness/seed.ts";
import { until } from "./harness/time.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const db = createDatabase(databaseUrl, { poolSize: 2 });
  let statements = 0;
  const counted = db.$extends({
    query: {
      $allOperations({ operation, args, query }) {
        if (operation !== "$executeRaw") statements += 1; // `$executeRaw` writes the grant's last use, once a minute.
        return query(args);
      },
    },
  });
  const app = Fastify();
  const find = createCallerLookup(app, { db: counted as unknown as Database, directUrl: databaseUrl });
  const { token } = await withClient(databaseUrl, (client) => createTenant(client));
  async function measure(accessToken: string, calls: number) {
    const [cpuBefore, statementsBefore] = [cpuSeconds(), statements];
    for (let call = 0; call < calls; call += 1) await find(accessToken);
    const us = ((cpuSeconds() - cpuBefore) * 1e6) / calls;
    return { us, statements: (statements - statementsBefore) / calls };
  }
  const isCached = async () => (await find(token)) !== null && (await measure(token, 1)).statements === 0;
  await until(isCached, { everyMs: 100, withinMs: 10_000, message: "void: no token is ever cached" });
  await compareSides(
    "",
    { us: ["µs of CPU", 1], statements: ["statements", 2] },
    {
      "cached token": () => measure(token, bench.quick ? 1_000 : 100_000),
      "unknown token": () => measure("parley_at_unknown", 10),
    },
    { rounds: bench.rounds(12) },
  );
  await app.close();
  await db.$disconnect();
});
