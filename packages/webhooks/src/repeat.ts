/** Work that runs until stopped. */
export interface Repeated {
  /** Resolves when the running work has ended. */
  stop(): Promise<void>;
}

/**
 * Runs work now and then at intervals, never twice at the same time.
 *
 * @param work should end soon after its signal is aborted
 * @param failed receives the error of a run that failed; the next one begins as usual
 */
export function repeat(
  work: (stopping: AbortSignal) => Promise<unknown>,
  everyMs: number,
  failed: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;

  function run(): void {
    running ??= work(stopping.signal)
      .catch(failed)
      .finally(() => {
        running = undefined;
      });
  }

  run();
  const timer = setInterval(run, everyMs);
  return {
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
