import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { applyMigrations } from "@parley/database";
import { type RunningPostgres, startPostgres } from "@parley/embedded-postgres";
import { type Child, type Commands, startChild } from "./child.ts";

/** Resources of a benchmark. All are removed when the benchmark ends, also after an error or Ctrl-C. */
export interface Bench {
  /** Few and short rounds, which only test that the benchmark works. */
  quick: boolean;
  /** Number of rounds: two when quick. */
  rounds(count: number): number;
  /** A folder for its files. */
  folder: string;
  /** A real PostgreSQL, durable as in production, with Parley's tables and nothing in them. */
  startDatabase(): Promise<string>;
  /** Shuts PostgreSQL down, which closes all connections, and starts it again at the same address. */
  restartDatabase(): Promise<void>;
  /** Starts `src/<module>` as a process, with variables added to the environment. */
  start<Served extends Commands>(module: string, env?: Record<string, string>): Child<Served>;
}

/** @param options.durable `false` where nothing is measured: it starts sooner */
export function openBench({ quick, durable = true }: { quick: boolean; durable?: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const children: Child<Commands>[] = [];
  let postgres: Promise<RunningPostgres> | undefined;

  const bench: Bench = {
    quick,
    rounds: (count) => (quick ? 2 : count),
    folder,
    async startDatabase() {
      postgres = startPostgres({ dataDir: folder, durable });
      const { url } = await postgres;
      await applyMigrations(url);
      return url;
    },
    async restartDatabase() {
      if (!postgres) throw new Error("there is no database yet");
      const server = await postgres;
      await server.stop();
      postgres = startPostgres({ dataDir: folder, durable, port: Number(new URL(server.url).port) });
      await postgres;
    },
    start<Served extends Commands>(module: string, env?: Record<string, string>) {
      const child = startChild<Served>(join(import.meta.dirname, "..", module), env);
      children.push(child);
      return child;
    },
  };
  return {
    bench,
    async close(): Promise<void> {
      await Promise.all(children.map((child) => child.stop()));
      await postgres?.then((server) => server.stop()).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a benchmark, cleans up after it, and sets the exit code: 0, 1 for a void run, 130 after Ctrl-C.
 *
 * @param measure receives the arguments of the command line
 */
export async function runBench(measure: (bench: Bench, args: string[]) => Promise<void>): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { quick: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const opened = openBench(values);
  const interruption = Promise.withResolvers<never>();
  let isInterrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      isInterrupted = true; // Further signals wait for the clean-up, which takes a second.
      interruption.reject(new Error(signal));
    });
  }
  try {
    await Promise.race([measure(opened.bench, positionals), interruption.promise]);
    process.exitCode = 0;
  } catch (error) {
    await nextTurn(); // Ctrl-C reaches the children as well: their failure may come first.
    console.error(isInterrupted ? "interrupted" : error);
    process.exitCode = isInterrupted ? 130 : 1;
  }
  await opened.close();
  process.exit();
}
