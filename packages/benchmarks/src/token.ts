/** What it costs a request to know whom its token speaks for, once that is remembered. See README.md. */
import { createCallerLookup } from "@parley/api/caller-lookup";
import { createDatabase } from "@parley/database";
import Fastify from "fastify";
import { runBench } from "./harness/bench.ts";
import { createTenant } from "./harness/create-tenant.ts";
import { cpuSeconds } from "./harness/serve.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { until } from "./harness/until.ts";
import { withClient } from "./harness/with-client.ts";

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const db = createDatabase(databaseUrl, { poolSize: 2 });
  const app = Fastify();
  const find = createCallerLookup(app, { db, databaseUrl });

  /** A token that no query can find any more. */
  let token = "";
  const isRemembered = async () => {
    token = await withClient(databaseUrl, async (client) => {
      const tenant = await createTenant(client, "Token", "business");
      await find(tenant.token);
      await client.query("SET session_replication_role = replica"); // No trigger tells of what follows.
      await client.query("DELETE FROM oauth_tokens");
      return tenant.token;
    });
    return (await find(token)) !== null;
  };
  await until(isRemembered, { everyMs: 100, withinMs: 10_000, words: "no token is ever remembered" });

  const microseconds = async (calls: number) => {
    const before = cpuSeconds();
    for (let call = 0; call < calls; call++) {
      if (!(await find(token))) throw new Error("the token was forgotten meanwhile");
    }
    return ((cpuSeconds() - before) * 1e6) / calls;
  };
  const calls = bench.quick ? 1_000 : 100_000;
  await microseconds(calls); // Warms up.
  const rounds: number[] = [];
  while (rounds.length < (bench.quick ? 2 : 12)) rounds.push(await microseconds(calls));
  printTable(["", "µs of CPU"], [["a token that is remembered", withSpread(rounds, 1)]]);
  await app.close();
  await db.$disconnect();
});
