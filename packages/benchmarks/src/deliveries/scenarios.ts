import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../harness/child.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import type { Receiver } from "../harness/receiver.ts";
import { withClient } from "../harness/seed.ts";
import type { BareLoop } from "./bare-loop.ts";
import {
  type Context,
  type Figures,
  measureSender,
  measureWorkers,
  prepare,
  type Setup,
  subscriptions,
} from "./setup.ts";

export interface Scenario {
  heading: string;
  rounds: number;
  /** Two ways that are measured in turn; ratios are of the first to the second. */
  sides: Record<string, () => Promise<Figures>>;
}

/** The conditions of a measurement, by name. Each prepares what it needs. */
export const scenarios = { plain, workers, slow, https, subscriptions: manySubscriptions, snapshot };

async function plain(context: Context): Promise<Scenario> {
  const bare = context.bench.start<BareLoop>("deliveries/bare-loop.ts");
  return workerAndLoop("one worker and the bare loop", 12, await prepare(context), bare);
}

/** All processes share two cores, so a second worker has no core for itself. */
async function workers(context: Context): Promise<Scenario> {
  return twoWorkers("two workers and one", await prepare(context), context);
}

/** A worker waits for slow receivers; a second one has as many attempts in flight again. */
async function slow(context: Context): Promise<Scenario> {
  const receiver = context.bench.start<Receiver>("harness/receiver.ts");
  const url = `${await receiver.call("start")}/after-20-ms`;
  const setup = await prepare(context, { receiver, url });
  return twoWorkers("two workers and one, receivers take 20 ms", setup, context);
}

/** Both sides trust the same self-signed certificate. */
async function https(context: Context): Promise<Scenario> {
  const { bench } = context;
  const [keyFile, certFile] = [join(bench.folder, "key.pem"), join(bench.folder, "cert.pem")];
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1";
  const files = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", [...request.split(" "), ...files], { stdio: "ignore" });
  const [key, cert] = [readFileSync(keyFile, "utf8"), readFileSync(certFile, "utf8")];
  const env = { NODE_EXTRA_CA_CERTS: certFile };

  const receiver = bench.start<Receiver>("harness/receiver.ts");
  const url = `${await receiver.call("start", { key, cert })}/steady`;
  const workers = [bench.start<RealWorker>("harness/real-worker.ts", env)];
  const setup = await prepare(context, { receiver, url, workers });
  const bare = bench.start<BareLoop>("deliveries/bare-loop.ts", env);
  return workerAndLoop("https: one worker and the bare loop", 6, setup, bare);
}

/** More subscriptions than a worker leases at once, with a delivery each, and a few with as many deliveries. */
async function manySubscriptions(context: Context): Promise<Scenario> {
  const count = context.bench.quick ? 500 : 5_000;
  const few = await prepare(context);
  const many = await prepare(context, few, count);
  return {
    heading: `${count.toLocaleString("en")} subscriptions with a delivery each`,
    rounds: 6,
    sides: {
      "many subscriptions": () => measureWorkers({ ...many, count }),
      [`${subscriptions} subscriptions`]: () => measureWorkers({ ...few, count }),
    },
  };
}

/** While a transaction has a snapshot, PostgreSQL can remove none of the rows that the worker deletes. */
async function snapshot(context: Context): Promise<Scenario> {
  const count = context.bench.quick ? 4_000 : 40_000;
  const setup = { ...(await prepare(context)), count };
  return {
    heading: `${count.toLocaleString("en")} deliveries while a snapshot is open`,
    rounds: 5,
    sides: {
      "a snapshot is open": () =>
        withClient(context.databaseUrl, async (reader) => {
          await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
          await reader.query("SELECT txid_current()");
          return measureWorkers(setup);
        }),
      none: () => measureWorkers(setup),
    },
  };
}

function workerAndLoop(heading: string, rounds: number, setup: Setup, bare: Child<BareLoop>): Scenario {
  return {
    heading,
    rounds,
    sides: {
      worker: () => measureWorkers(setup),
      "bare loop": () => measureSender("bare loop", bare, setup),
    },
  };
}

function twoWorkers(heading: string, setup: Setup, { bench }: Context): Scenario {
  const both = [...setup.workers, bench.start<RealWorker>("harness/real-worker.ts")];
  return {
    heading,
    rounds: 6,
    sides: {
      "two workers": () => measureWorkers({ ...setup, workers: both }),
      "one worker": () => measureWorkers(setup),
    },
  };
}
