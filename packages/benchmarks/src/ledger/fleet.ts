import type { Bench } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import type { RealWorker } from "../harness/real-worker.ts";

/** A worker's process, known to the database by its name. */
export interface Member {
  name: string;
  process: Child<RealWorker>;
}

/** Worker processes that are killed and replaced. */
export class Fleet {
  readonly #bench: Bench;
  readonly #variables: Record<string, string>;
  readonly members: Member[] = [];
  #started = 0;

  /** @param variables of the workers' environment; `DATABASE_URL` gets each worker's name */
  constructor(bench: Bench, variables: Record<string, string>) {
    this.#bench = bench;
    this.#variables = variables;
  }

  async add(): Promise<void> {
    this.#started += 1;
    const name = `worker-${this.#started}`;
    const url = new URL(this.#variables["DATABASE_URL"] ?? "");
    url.searchParams.set("application_name", name);
    const process = this.#bench.start<RealWorker>("harness/real-worker.ts");
    await startPatiently(process, { ...this.#variables, DATABASE_URL: url.href });
    this.members.push({ name, process });
  }

  /** Ends it in the middle of its work. */
  async kill(member: Member): Promise<void> {
    this.members.splice(this.members.indexOf(member), 1);
    await member.process.kill();
  }

  /** @throws when a worker has ended by itself */
  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ process }) => process.call("stop")));
    await Promise.all(this.members.splice(0).map(({ process }) => process.stop()));
  }
}

/** The database may be away just then: a supervisor would start the worker again. */
async function startPatiently(
  process: Child<RealWorker>,
  variables: Record<string, string>,
  tries = 20,
): Promise<void> {
  try {
    await process.call("start", variables);
  } catch (error) {
    if (tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 250));
    await startPatiently(process, variables, tries - 1);
  }
}
