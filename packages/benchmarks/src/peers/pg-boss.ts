import { PgBoss } from "pg-boss";
import { concurrency, createPoster } from "../deliveries/post.ts";
import type { Due } from "../deliveries/seed.ts";
import { cpuSeconds, serve } from "../harness/serve.ts";
import type { Peer } from "./peer.ts";

const name = "deliveries";
/** Jobs of one fetch; so many workers have `concurrency` on their way together. */
const batchSize = 32;
let boss: PgBoss;

/** A job a delivery, fetched and completed in batches, the next one at once while there is a full one. */
const commands: Peer = {
  async connect(url) {
    boss = new PgBoss({ connectionString: url, schema: "peer", max: 10 });
    boss.on("error", () => {});
    await boss.start();
    await boss.createQueue(name, { retryLimit: 5 });
  },
  async enqueue(due) {
    await boss.deleteAllJobs(name);
    await boss.insert(
      name,
      due.map((data) => ({ data })),
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
      void boss.work<Due>(name, options, async (jobs) => {
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
