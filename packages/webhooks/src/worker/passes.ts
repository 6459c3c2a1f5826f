import { setImmediate as nextTurn } from "node:timers/promises";

/** Runs a pass after each `wake`: one at a time, and once more if `wake` was called during a pass. */
export class Passes {
  readonly #pass: () => Promise<void>;
  #state: "idle" | "running" | "running, run again" | "stopped" = "idle";
  #ended = Promise.resolve();

  constructor(pass: () => Promise<void>) {
    this.#pass = pass;
  }

  get isStopped(): boolean {
    return this.#state === "stopped";
  }

  wake(): void {
    if (this.#state === "idle") this.#ended = this.#run();
    else if (this.#state === "running") this.#state = "running, run again";
  }

  /** Starts no more passes. Resolves when the running one ends. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    await this.#ended;
  }

  async #run(): Promise<void> {
    do {
      this.#state = "running";
      await nextTurn(); // One pass handles all changes of one iteration of the event loop.
      if (this.isStopped) return;
      this.#state = "running";
      await this.#pass();
    } while (this.#isWokenAgain);
    if (!this.isStopped) this.#state = "idle";
  }

  /** A getter, since TypeScript does not see that `wake` changes the state during an await. */
  get #isWokenAgain(): boolean {
    return this.#state === "running, run again";
  }
}
