import { printNote } from "@parley/command-line";
import type { ParleyError } from "@parley/sdk";

/** Prints on standard error that the event feed cannot be read, and that it can be read again. */
export function reportInterruption(error: ParleyError | undefined): void {
  if (error === undefined) printNote("Connected again.");
  else printNote(`The API cannot be reached: ${error.description} Retrying …`);
}
