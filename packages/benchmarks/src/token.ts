/** What it costs a request to find the caller of a token that is cached. See README.md. */
import { createCallerLookup } from "@parley/api/caller-lookup";
import { createDatabase, type Database } from "@parley/database";
import Fastify from "fastify";
import { runBench } from "./harness/bench.ts";
import { cpuSeconds } from "./harness/child.ts";
import { measureRounds, printTable, withSpread } from "./harness/report.ts";
import { createTenant, withClient } from "./harness/seed.ts";
import { until } from "./harness/time.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const db = createDatabase(databaseUrl, { poolSize: 2 });
  let statements = 0;
  const counted = db.$extends({
    query: {
      $allOperations({ operation, args, query }) {
        if (operation !== "$executeRaw") statements += 1; // That writes the grant's last use, once a minute.
        return query(args);
      },
    },
  });
  const app = Fastify();
  const find = createCallerLookup(app, { db: counted as unknown as Database, databaseUrl });
  const { token } = await withClient(databaseUrl, (client) => createTenant(client, "business"));
  async function countStatements(accessToken: string, calls: number): Promise<number> {
    const before = statements;
    for (let call = 0; call < calls; call += 1) await find(accessToken);
    return statements - before;
  }
  const isCached = async () => (await find(token)) !== null && (await countStatements(token, 1)) === 0;
  await until(isCached, { everyMs: 100, withinMs: 10_000, words: "void: no token is ever cached" });

  const calls = bench.quick ? 1_000 : 100_000;
  const rounds = await measureRounds(bench.quick ? 2 : 12, async () => {
    const before = cpuSeconds();
    const issued = await countStatements(token, calls);
    return { microseconds: ((cpuSeconds() - before) * 1e6) / calls, statements: issued / calls };
  });
  const cached = withSpread(rounds, ({ microseconds }) => microseconds, 1);
  const unknown = await countStatements("parley_at_unknown", 10);
  printTable(
    ["", "µs of CPU", "statements"],
    [
      ["cached token", cached, String(Math.max(...rounds.map((round) => round.statements)))],
      ["unknown token", "", String(unknown / 10)],
    ],
  );
  await app.close();
  await db.$disconnect();
});
