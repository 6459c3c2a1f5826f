import type { Due } from "../deliveries/seed.ts";

/** A queue of jobs that sends deliveries, in a process of its own. */
export type Peer = {
  /** @param url of what keeps its jobs */
  connect(url: string): void | Promise<void>;
  /** Removes whatever is left and adds a job for each. Nothing is sent yet. */
  enqueue(due: Due[]): Promise<void>;
  /** Sends everything to an address; resolves when all jobs are done. @param count how many there are */
  run(url: string, count: number): Promise<void>;
  cpuSeconds(): number;
};
