import { Queue, Worker } from "bullmq";
import { concurrency, createPoster } from "../deliveries/post.ts";
import type { Due } from "../deliveries/seed.ts";
import { cpuSeconds, serve } from "../harness/serve.ts";
import type { Peer } from "./peer.ts";

const name = "deliveries";
const batch = 1_000;
let connection: { url: string };
let queue: Queue<Due>;

/** A job a delivery, `concurrency` at once, as its manual has it for work that waits for the network. */
const commands: Peer = {
  connect(url) {
    connection = { url };
    queue = new Queue(name, { connection, defaultJobOptions: { attempts: 5, removeOnComplete: true } });
  },
  async enqueue(due) {
    for (let i = 0; i < due.length; i += batch) {
      await queue.addBulk(due.slice(i, i + batch).map((data) => ({ name, data })));
    }
  },
  async run(url, count) {
    const poster = createPoster(url);
    const worker = new Worker<Due>(name, ({ data }) => poster.post(data), { connection, concurrency });
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
