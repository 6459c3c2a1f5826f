// Health check of the image: exits with 0 if the program of this container responds. Its role is in the command line of the first process,
// as in `node parley.mjs api`, or in the first argument. The API must respond on PORT, the worker on METRICS_PORT. Others have no server.
import { readFileSync } from "node:fs";

const command = process.argv[2] ?? readFileSync("/proc/1/cmdline", "utf8");
const [, role = "api"] = /parley\.mjs(?:\0| )([a-z]+)/.exec(command) ?? [];
const port = { api: process.env.PORT, worker: process.env.METRICS_PORT }[role];
if (port) {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error("not healthy");
}
