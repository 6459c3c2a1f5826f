import { startPostgres } from "@parley/embedded-postgres";

interface EmbeddedDatabase {
  url: string;
  stop(): Promise<void>;
}

const retryAfterMs = 500;

/** Starts the PostgreSQL of a data folder. If it ends unexpectedly, restarts it at the same address. */
export async function startEmbeddedDatabase(
  dataDir: string,
  report: (message: string) => void,
): Promise<EmbeddedDatabase> {
  let stopping = false;
  let current = await startPostgres({ dataDir });
  const { url } = current;
  const port = Number(new URL(url).port);

  async function watch(): Promise<void> {
    for (;;) {
      await current.ended;
      if (stopping) return;
      report("PostgreSQL ended unexpectedly; restarting it");
      await restart();
    }
  }

  async function restart(): Promise<void> {
    while (!stopping) {
      try {
        current = await startPostgres({ dataDir, port });
        if (stopping) await current.stop();
        return;
      } catch (error) {
        report(`PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      }
    }
  }

  const watching = watch();

  return {
    url,
    async stop() {
      stopping = true;
      await current.stop();
      await watching;
    },
  };
}
