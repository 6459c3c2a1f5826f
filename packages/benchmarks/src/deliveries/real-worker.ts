import { buildWorker, type Worker } from "@parley/worker";
import { workerConfig } from "@parley/worker/config";
import { cpuSeconds, serve } from "../harness/serve.ts";

let worker: Worker | undefined;

const commands = {
  /** Starts Parley's worker with its default settings; it sends what is due until it is stopped. */
  async start(databaseUrl: string, encryptionKey: string): Promise<void> {
    worker = await buildWorker(
      workerConfig.parse({
        DATABASE_URL: databaseUrl,
        PARLEY_ENCRYPTION_KEY: encryptionKey,
        WEBHOOKS_ALLOW_LOOPBACK: "true",
      }),
    );
  },
  async stop(): Promise<void> {
    await worker?.stop();
    worker = undefined;
  },
  cpuSeconds,
};

export type RealWorker = typeof commands;

serve(commands);
