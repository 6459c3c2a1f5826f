import type { RetryContext } from "@parley/sdk";

/** Returns a function that prints on standard error that the API does not respond, for the retries of the event feed. */
export function reportRetries(): (event: RetryContext) => void {
  return ({ delayMs, response }) => {
    const problem = response ? `The API responded with ${response.status}` : "The API does not respond";
    console.error(`${problem}. Retrying in ${Math.ceil(delayMs / 1000)} s …`);
  };
}
