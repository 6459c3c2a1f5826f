import type { DeliveryLoopOptions, StepName } from "./options.ts";

type Receivers = Pick<DeliveryLoopOptions, "log" | "observer">;

/** Logs and counts a failed step, which is retried. */
export function reportStepFailure({ log, observer }: Receivers, step: StepName, error: unknown): void {
  observer?.stepFailed?.(step);
  log.error({ err: error, step }, "delivery worker step failed; retrying");
}

/** Logs and counts a subscription whose data makes a statement fail. */
export function reportIsolated({ log, observer }: Receivers, subscription: string, error: unknown): void {
  observer?.subscriptionIsolated?.();
  log.error(
    { err: error, subscription },
    "subscription skipped for a minute: its data makes a statement fail",
  );
}
