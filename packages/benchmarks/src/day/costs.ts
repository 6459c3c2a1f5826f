import { nowMs } from "../harness/clock.ts";
import { cpuSeconds } from "../harness/serve.ts";
import type { Scene } from "./scene.ts";

/** What the day took. */
export interface DayCosts {
  /** Until everything was written. */
  writingSeconds: number;
  /** Until everything that was written had arrived, too. */
  seconds: number;
  deliveries: number;
  /** From the first delivery's arrival to the last one's. */
  deliverySeconds: number;
  /** Seconds of CPU of each process, all threads together; PostgreSQL's are not among them. */
  cpu: Record<"server" | "worker" | "receiver" | "platform", number>;
}

/**
 * Measures what happens meanwhile.
 *
 * @param arrive waits for what was written
 */
export async function measureCosts(
  scene: Scene,
  write: () => Promise<void>,
  arrive: () => Promise<void>,
): Promise<DayCosts> {
  const before = await cpuOf(scene);
  const startedAt = nowMs();
  await write();
  const writingSeconds = (nowMs() - startedAt) / 1_000;
  await arrive();
  const { requests, firstAt, lastAt } = await scene.receiver.call("arrivals");
  const after = await cpuOf(scene);
  return {
    writingSeconds,
    seconds: (lastAt - startedAt) / 1_000,
    deliveries: requests,
    deliverySeconds: (lastAt - firstAt) / 1_000,
    cpu: {
      server: after.server - before.server,
      worker: after.worker - before.worker,
      receiver: after.receiver - before.receiver,
      platform: after.platform - before.platform,
    },
  };
}

async function cpuOf({ server, worker, receiver }: Scene): Promise<DayCosts["cpu"]> {
  return {
    server: await server.call("cpuSeconds"),
    worker: await worker.call("cpuSeconds"),
    receiver: await receiver.call("cpuSeconds"),
    platform: cpuSeconds(),
  };
}
