import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import type { Bench } from "../harness/bench.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import { seedSubscriptions } from "../harness/seed-subscriptions.ts";
import { withClient } from "../harness/with-client.ts";
import type { BareLoop } from "./bare-loop.ts";
import { createCertificate } from "./certificate.ts";
import { type Figures, measureBare, measureWorkers, type WorkerRun } from "./measure.ts";
import type { Receiver } from "./receiver.ts";
import { createDue, type Due } from "./seed.ts";

/** One of two ways that are measured in turn. */
export interface Side {
  words: string;
  measure(): Promise<Figures>;
}

export interface Scenario {
  words: string;
  rounds: number;
  /** The ratio is that of the first to the second. */
  sides: [Side, Side];
}

export interface Stage {
  bench: Bench;
  databaseUrl: string;
  client: Client;
}

const subscriptions = 50;

/** What deliveries are measured under, by name. Each prepares what it needs when it is called. */
export const scenarios = { plain, workers, slow, https, subscriptions: manySubscriptions, snapshot };

/** The bare loop beside the worker: how much of what undici can do is left. */
async function plain(stage: Stage): Promise<Scenario> {
  const world = await prepare(stage);
  const bare = stage.bench.start<BareLoop>("deliveries/bare-loop.ts");
  return {
    words: "one worker and the bare loop",
    rounds: 12,
    sides: [
      { words: "worker", measure: () => measureWorkers({ ...world, due: world.createDue() }) },
      { words: "bare loop", measure: () => measureBare({ ...world, bare, due: world.createDue() }) },
    ],
  };
}

/** Where everything shares two cores, a second worker has none to itself. */
async function workers(stage: Stage): Promise<Scenario> {
  return compareWorkers("two workers and one", await prepare(stage), stage);
}

/** Where receivers take their time a worker waits for them, and a second one has as many attempts on their way again. */
async function slow(stage: Stage): Promise<Scenario> {
  const receiver = stage.bench.start<Receiver>("deliveries/receiver.ts");
  const url = await receiver.call("start", { takesMs: 20 });
  const words = "two workers and one, receivers take 20 ms";
  return compareWorkers(words, await prepare(stage, { receiver, url }), stage);
}

function compareWorkers(words: string, world: World, stage: Stage): Scenario {
  const both = [...world.workers, stage.bench.start<RealWorker>("harness/real-worker.ts")];
  return {
    words,
    rounds: 6,
    sides: [
      {
        words: "two workers",
        measure: () => measureWorkers({ ...world, workers: both, due: world.createDue() }),
      },
      { words: "one worker", measure: () => measureWorkers({ ...world, due: world.createDue() }) },
    ],
  };
}

/** Over TLS; both sides trust the same self-signed certificate. */
async function https(stage: Stage): Promise<Scenario> {
  const { bench } = stage;
  const certificate = createCertificate(bench.folder);
  const env = { NODE_EXTRA_CA_CERTS: certificate.file };
  const receiver = bench.start<Receiver>("deliveries/receiver.ts");
  const url = await receiver.call("start", { certificate });
  const world = {
    ...(await prepare(stage, { receiver, url })),
    workers: [bench.start<RealWorker>("harness/real-worker.ts", { env })],
  };
  const bare = bench.start<BareLoop>("deliveries/bare-loop.ts", { env });
  return {
    words: "https: one worker and the bare loop",
    rounds: 6,
    sides: [
      { words: "worker", measure: () => measureWorkers({ ...world, due: world.createDue() }) },
      { words: "bare loop", measure: () => measureBare({ ...world, bare, due: world.createDue() }) },
    ],
  };
}

/** One delivery for each of many, more than a worker leases at once, beside as many for few. */
async function manySubscriptions(stage: Stage): Promise<Scenario> {
  const count = stage.bench.quick ? 500 : 5_000;
  const few = await prepare(stage);
  const many = await prepare(stage, { ...few, subscriptions: count });
  return {
    words: `${count.toLocaleString("en")} subscriptions with a delivery each`,
    rounds: 6,
    sides: [
      { words: "many subscriptions", measure: () => measureWorkers({ ...many, due: many.createDue(count) }) },
      {
        words: `${subscriptions} subscriptions`,
        measure: () => measureWorkers({ ...few, due: few.createDue(count) }),
      },
    ],
  };
}

/** A transaction that reads, and stays open: PostgreSQL can remove nothing of what the worker deletes meanwhile. */
async function snapshot(stage: Stage): Promise<Scenario> {
  const world = await prepare(stage);
  const count = stage.bench.quick ? 4_000 : 40_000;
  const measure = () => measureWorkers({ ...world, due: world.createDue(count) });
  return {
    words: `${count.toLocaleString("en")} deliveries while a snapshot is open`,
    rounds: 5,
    sides: [
      {
        words: "a snapshot is open",
        measure: () =>
          withClient(stage.databaseUrl, async (reader) => {
            await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
            await reader.query("SELECT txid_current()");
            return measure();
          }),
      },
      { words: "none", measure },
    ],
  };
}

/** A receiver, subscriptions to it, and a worker. */
export interface World extends Omit<WorkerRun, "due"> {
  url: string;
  createDue(count?: number): Due[];
}

export async function prepare(
  { bench, databaseUrl, client }: Stage,
  given: {
    receiver?: World["receiver"];
    url?: string;
    subscriptions?: number;
    workers?: World["workers"];
  } = {},
) {
  const encryptionKey = randomBytes(32).toString("base64");
  const receiver = given.receiver ?? bench.start<Receiver>("deliveries/receiver.ts");
  const url = given.url ?? (await receiver.call("start"));
  const targets = Array.from({ length: given.subscriptions ?? subscriptions }, () => [url]);
  const subscribers = await seedSubscriptions(databaseUrl, encryptionKey, targets);
  return {
    client,
    receiver,
    url,
    workers: given.workers ?? [bench.start<RealWorker>("harness/real-worker.ts")],
    variables: {
      DATABASE_URL: databaseUrl,
      PARLEY_ENCRYPTION_KEY: encryptionKey,
      WEBHOOKS_ALLOW_LOOPBACK: "true",
    },
    createDue: (count = bench.quick ? 2_000 : 20_000) => createDue(subscribers, count),
  };
}
