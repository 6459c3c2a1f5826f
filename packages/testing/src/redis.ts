import { freePort } from "./free-port.ts";
import { acceptsConnections, startServerProcess } from "./server-process.ts";

/**
 * Starts Redis on a free port of this machine.
 *
 * @param program path of redis-server
 * @param settings its options, such as `--dir`
 */
export async function startRedis(
  program: string,
  settings: string[],
): Promise<{ url: string; stop(): Promise<unknown> }> {
  const port = await freePort();
  const server = await startServerProcess({
    command: [program, "--port", String(port), "--bind", "127.0.0.1", ...settings],
    isReady: () => acceptsConnections(port),
  });
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.stop() };
}
