import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { applyMigrations } from "@parley/database";
import { type RunningPostgres, startPostgres } from "@parley/embedded-postgres";
import { type Child, type ChildOptions, startChild } from "./child.ts";
import type { Commands } from "./serve.ts";

/** What a benchmark works with. All of it is gone when the benchmark is over, however it ended. */
export interface Bench {
  /** Few and short rounds: shows that the benchmark works, not how fast anything is. */
  quick: boolean;
  /** A folder for its files. */
  folder: string;
  /** A real PostgreSQL, durable as in production, with Parley's tables and nothing in them. */
  startDatabase(): Promise<string>;
  /** Shuts PostgreSQL down, which disconnects everybody, and starts it again under the same address. */
  restartDatabase(): Promise<void>;
  /** Starts `src/<module>` in a process of its own. */
  start<Served extends Commands>(module: string, options?: ChildOptions): Child<Served>;
}

/** @param options.durable `false` where nothing is measured: it starts sooner */
export function openBench({ quick, durable = true }: { quick: boolean; durable?: boolean }): {
  bench: Bench;
  close(): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const children: Child<Commands>[] = [];
  let postgres: Promise<RunningPostgres> | undefined;

  const bench: Bench = {
    quick,
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
    start<Served extends Commands>(module: string, options?: ChildOptions) {
      const child = startChild<Served>(join(import.meta.dirname, "..", module), options);
      children.push(child);
      return child;
    },
  };
  return {
    bench,
    async close() {
      await Promise.all(children.map((child) => child.stop()));
      await postgres?.then((server) => server.stop()).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a benchmark, cleans up after it, and sets the exit code: 0, 1 for a void run, 130 after Ctrl-C.
 *
 * @param measure is given the words of the command line
 */
export async function runBench(measure: (bench: Bench, words: string[]) => Promise<void>): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { quick: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const opened = openBench(values);
  const interruption = onInterruption();
  try {
    await Promise.race([measure(opened.bench, positionals), interruption.promise]);
    process.exitCode = 0;
  } catch (error) {
    await nextTurn(); // Ctrl-C reaches programs that a step waits for as well: their failure may come first.
    console.error(interruption.happened ? "interrupted" : error);
    process.exitCode = interruption.happened ? 130 : 1;
  }
  await opened.close();
  process.exit();
}

/** Notices the first Ctrl-C or SIGTERM; further ones wait for the clean-up, which takes a second. */
function onInterruption(): { promise: Promise<never>; happened: boolean } {
  const { promise, reject } = Promise.withResolvers<never>();
  const interruption = { promise, happened: false };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      interruption.happened = true;
      reject(new Error(signal));
    });
  }
  return interruption;
}
