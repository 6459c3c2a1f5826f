import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { vi } from "vitest";

const main = join(import.meta.dirname, "../main.mjs");

/** API server in a separate process, as in production. */
export interface ApiProcess {
  url: string;
  /** Resolves with the exit code; null when a signal ended the process. */
  exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
}

/** Starts the API; resolves once it is ready. */
export async function startApiProcess(
  port: number,
  variables: { DATABASE_URL: string } & Record<string, string>,
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      LOG_LEVEL: "warn",
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      ...variables,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  const exited = once(child, "exit").then(([code]) => code as number | null);
  await vi.waitUntil(() => isReady(child, url), { timeout: 60_000 });
  return { url, exited, signal: (name) => void child.kill(name) };
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the API exited with ${child.exitCode}`);
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
