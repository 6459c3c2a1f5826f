/** Times of the console's pages, and of what they read from the database, in an organization with most of the rows, and with a tenth of the rows. */
import { applyMigrations, createDatabase } from "@parley/database";
import { consolePages, signInAdmin } from "./console/pages.ts";
import { consoleReads } from "./console/reads.ts";
import { type Sizes, seedLog } from "./console/seed-log.ts";
import { type Bench, runBench } from "./harness/bench.ts";
import type { RealServer } from "./harness/real-server.ts";
import { median, percentile, printTable } from "./harness/report.ts";
import { createVariables, withClient } from "./harness/seed.ts";
import { nowMs } from "./harness/time.ts";

await runBench(async (bench) => {
  const scale = bench.quick ? 0.01 : 1;
  const serverUrl = await bench.startDatabase();
  const full = await prepareSide(bench, serverUrl, "full", scale);
  const tenth = await prepareSide(bench, serverUrl, "tenth", scale / 10);
  await compare(bench, "read", full.reads, tenth.reads);
  await compare(bench, "page", full.pages, tenth.pages);
  await full.close();
  await tenth.close();
});

type Reads = Record<string, () => Promise<unknown>>;

async function compare(bench: Bench, what: string, full: Reads, tenth: Reads): Promise<void> {
  const rows: string[][] = [];
  for (const name of Object.keys(full)) {
    const [all, few] = await measureInTurn(bench, [full[name], tenth[name]]);
    const [p50, p50OfTenth] = [median(all), median(few)];
    rows.push([
      name,
      ...[p50, percentile(all, 0.99), p50OfTenth].map((ms) => ms.toFixed(1)),
      (p50 / p50OfTenth).toFixed(1),
    ]);
  }
  printTable([`ms of a ${what}`, "p50", "p99", "p50 of a tenth", "ratio"], rows);
}

/** Creates a database on the server and fills it. */
async function prepareSide(bench: Bench, serverUrl: string, name: string, scale: number) {
  const url = new URL(serverUrl);
  url.pathname = name;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE "${name}"`));
  await applyMigrations(url.href);
  const sizes: Sizes = { attempts: 5_000_000 * scale, events: 1_000_000 * scale, pending: 100_000 * scale };
  const from = nowMs();
  const organization = await withClient(url.href, (client) => seedLog(client, sizes));
  const seconds = Math.round((nowMs() - from) / 1_000);
  console.log(`${name}: ${sizes.attempts.toLocaleString("en")} attempts, filled in ${seconds} s`);
  const db = createDatabase(url.href, { poolSize: 2 });
  const server = bench.start<RealServer>("harness/real-server.ts");
  const serverAddress = await server.call("start", createVariables(url.href));
  const cookie = await signInAdmin(url.href, organization.organizationId);
  return {
    reads: consoleReads(db, organization),
    pages: consolePages(serverAddress, cookie, organization),
    close: () => db.$disconnect(),
  };
}

type Read = (() => Promise<unknown>) | undefined;

/** Runs the reads in turn, and returns the milliseconds of each run. The first runs, for connections and plans, do not count. */
async function measureInTurn(bench: Bench, reads: [Read, Read]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  const warmUps = 10;
  for (let round = -warmUps; round < bench.rounds(200); round += 1) {
    for (const [side, read] of reads.entries()) {
      const from = nowMs();
      await read?.();
      if (round >= 0) times[side]?.push(nowMs() - from);
    }
  }
  return times;
}
