import type { ParleyError } from "@parley/sdk";

/** Prints on standard error that the event feed cannot be read, and that it can be read again. */
export function reportInterruption(error: ParleyError | undefined): void {
  if (error === undefined) console.error("Connected again.");
  else console.error(`The API cannot be reached: ${error.description} Retrying …`);
}
