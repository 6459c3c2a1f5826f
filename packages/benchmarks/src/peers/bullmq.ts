import { Queue, Worker } from "bullmq";
import { concurrency, createPoster, type Delivery } from "../deliveries/sender.ts";
import { cpuSeconds, serve } from "../harness/child.ts";
import type { Peer } from "./pg-boss.ts";

const name = "deliveries";
const batch = 1_000;
let connection: { url: string };
let queue: Queue<Delivery>;

/** One job for each delivery, `concurrency` at the same time, as BullMQ's manual recommends for work that waits for the network. */
const commands: Peer = {
  connect(url) {
    connection = { url };
    queue = new Queue(name, { connection, defaultJobOptions: { attempts: 5, removeOnComplete: true } });
  },
  async enqueue(deliveries) {
    for (let i = 0; i < deliveries.length; i += batch) {
      await queue.addBulk(deliveries.slice(i, i + batch).map((data) => ({ name, data })));
    }
  },
  async run(url, count) {
    const poster = createPoster(url);
    const worker = new Worker<Delivery>(name, ({ data }) => poster.post(data), { connection, concurrency });
    let left = count;
    await new Promise<void>((resolve) => {
      worker.on("completed", () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await worker.close();
    await poster.close();
  },
  cpuSeconds,
};

serve(commands);
