import { cpuSeconds, serve } from "../harness/serve.ts";
import { concurrency, createPoster } from "./post.ts";
import type { Due } from "./seed.ts";

let due: Due[] = [];

const commands = {
  load(deliveries: Due[]): void {
    due = deliveries;
  },
  /** Signs and posts everything that was loaded; nothing is read from or written to a database. */
  async run(url: string): Promise<void> {
    const poster = createPoster(url);
    let next = 0;
    async function sendInTurn(): Promise<void> {
      for (let delivery = due[next++]; delivery; delivery = due[next++]) await poster.post(delivery);
    }
    await Promise.all(Array.from({ length: concurrency }, sendInTurn));
    await poster.close();
  },
  cpuSeconds,
};

export type BareLoop = typeof commands;

serve(commands);
