/**
 * Returns the promise, or rejects with the signal's reason if the signal is aborted first. Aborting does not stop the
 * operation of the promise.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
