import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { connect } from "@parley/database";
import { freePort } from "@parley/testing/free-port";
import { startNginx } from "@parley/testing/nginx";
import {
  type ParleyProcess,
  startApiProcess,
  startWorkerProcess,
  type Variables,
} from "@parley/testing/parley-process";
import { startPgBouncer } from "@parley/testing/pgbouncer";
import { startServerProcess } from "@parley/testing/server-process";

/** Paths of the programs around Parley. */
export interface Programs {
  nginx: string;
  redis: string;
  pgbouncer: string;
}

/** API processes behind nginx, and workers. */
export interface Servers {
  /** Address of nginx. */
  url: string;
  apis: ParleyProcess[];
  workers: ParleyProcess[];
  startWorkers(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  programs: Programs;
  variables: Variables;
  count: number;
}

/** Starts API processes behind nginx. Workers start with `startWorkers`. */
export async function startServers({ programs, variables, count }: Options): Promise<Servers> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  const apis = await Promise.all(ports.map((port) => startApiProcess(variables, { port })));
  const proxy = await startNginx(programs.nginx, ports);
  const workers: ParleyProcess[] = [];
  return {
    url: proxy.url,
    apis,
    workers,
    async startWorkers() {
      const started = await Promise.all(Array.from({ length: count }, () => startWorkerProcess(variables)));
      workers.push(...started);
    },
    async stop() {
      await proxy.stop();
      await Promise.all([...apis, ...workers].map((process) => process.stop()));
    },
  };
}

/** Starts Redis without persistence. */
export async function startRedis(
  program: string,
  folder: string,
): Promise<{ url: string; stop(): Promise<unknown> }> {
  const port = await freePort();
  const server = await startServerProcess({
    command: [program, "--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
    isReady: () => accepts(port),
  });
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.stop() };
}

/** Checks whether a program listens on a port of this machine. */
async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}

/** Starts PgBouncer before the database. */
export function startPooler(
  program: string,
  databaseUrl: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  return startPgBouncer(program, databaseUrl, async (url) => {
    await (await connect(url)).end();
    return true;
  });
}

/** Returns the seconds of CPU that the processes have used so far. Linux only. */
export function cpuSecondsOf(processes: ParleyProcess[]): number {
  const ticks = processes.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]); // utime and stime, proc(5).
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
