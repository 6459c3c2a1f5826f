import type { DeliveryLoopOptions, StepName } from "./options.ts";

type Receivers = Pick<DeliveryLoopOptions, "log" | "observer">;

/** Logs and counts a failure of a kind of database work, which is retried. */
export function reportStepFailure({ log, observer }: Receivers, step: StepName, error: unknown): void {
  observer?.stepFailed?.(step);
  log.error({ err: error, step }, "database work of the delivery worker failed; retrying");
}

/** Logs and counts that the data of one subscription makes a statement fail. */
export function reportIsolated({ log, observer }: Receivers, subscription: string, error: unknown): void {
  observer?.subscriptionIsolated?.();
  log.error(
    { err: error, subscription },
    "a statement fails because of this subscription; it is left alone for a minute",
  );
}
