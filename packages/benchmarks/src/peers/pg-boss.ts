import { PgBoss } from "pg-boss";
import { concurrency, createPoster, type Delivery, type Sender } from "../deliveries/sender.ts";
import { cpuSeconds, serve } from "../harness/child.ts";

/** A job queue that sends deliveries. */
export type Peer = Sender & {
  /** @param url of the database with its jobs */
  connect(url: string): void | Promise<void>;
};

const name = "deliveries";
/** Jobs of one fetch. Together the workers have `concurrency` jobs in progress. */
const batchSize = 32;
let boss: PgBoss;

/** One job for each delivery, fetched and completed in batches; a full batch is followed by the next one immediately. */
const commands: Peer = {
  async connect(url) {
    boss = new PgBoss({ connectionString: url, schema: "peer", max: 10 });
    boss.on("error", () => {});
    await boss.start();
    await boss.createQueue(name, { retryLimit: 5 });
  },
  async enqueue(deliveries) {
    await boss.deleteAllJobs(name);
    await boss.insert(
      name,
      deliveries.map((data) => ({ data })),
    );
  },
  async run(url, count) {
    const poster = createPoster(url);
    const options = {
      batchSize,
      localConcurrency: concurrency / batchSize,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    let left = count;
    await new Promise<void>((resolve) => {
      void boss.work<Delivery>(name, options, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => poster.post(data)));
        left -= jobs.length;
        if (left === 0) resolve();
      });
    });
    await boss.offWork(name);
    await poster.close();
  },
  cpuSeconds,
};

serve(commands);
