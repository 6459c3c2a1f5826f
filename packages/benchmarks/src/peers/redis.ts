import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";

/**
 * Starts a real Redis that keeps an append-only file, as BullMQ's manual asks for, written to the disk every second.
 *
 * @throws where `redis-server` is not installed
 */
export async function startRedis(folder: string) {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  const settings = ["--dir", folder, "--save", "", "--appendonly", "yes", "--maxmemory-policy", "noeviction"];
  const server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error("Redis did not start")));
    createInterface(server.stdout).on("line", (line) => line.includes("Ready to accept") && resolve());
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      const exited = once(server, "exit");
      server.kill("SIGKILL");
      await exited;
    },
  };
}
