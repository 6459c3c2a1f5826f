import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { respondsOk, type ServerProcess, startServerProcess } from "./server-process.ts";

const repository = join(import.meta.dirname, "../../..");

/** Process of the API or the worker, as in production. */
export interface ParleyProcess extends ServerProcess {
  /** Address of the API; of the worker, the address of its metrics and health checks. */
  url: string;
}

/** Environment variables of the process, in addition to variables that are the same in all tests. */
export type Variables = { DATABASE_URL: string } & Record<string, string>;

interface ParleyOptions {
  port?: number;
  /** Checkout of Parley. Default: this one. */
  root?: string;
}

/** Starts the API; resolves once it is ready. */
export function startApiProcess(variables: Variables, options: ParleyOptions = {}): Promise<ParleyProcess> {
  return start("api", "PORT", variables, options);
}

/** Starts a worker; resolves once it is ready. */
export function startWorkerProcess(
  variables: Variables,
  options: ParleyOptions = {},
): Promise<ParleyProcess> {
  return start("worker", "METRICS_PORT", variables, options);
}

async function start(
  app: "api" | "worker",
  portVariable: string,
  variables: Variables,
  { port: fixed, root = repository }: ParleyOptions,
): Promise<ParleyProcess> {
  const port = fixed ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const started = await startServerProcess({
    command: [join(root, "node_modules/.bin/node"), join(root, `apps/${app}/src/main.mjs`)],
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      LOG_LEVEL: "warn",
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      ...variables,
      [portVariable]: String(port),
    },
    isReady: () => respondsOk(`${url}/readyz`),
  });
  return { ...started, url };
}
