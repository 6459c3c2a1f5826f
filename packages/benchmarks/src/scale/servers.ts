import { readFileSync } from "node:fs";
import { freePort } from "@parley/testing/free-port";
import { startNginx } from "@parley/testing/nginx";
import {
  type ParleyProcess,
  startApiProcess,
  startWorkerProcess,
  type Variables,
} from "@parley/testing/parley-process";

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

/** Returns the seconds of CPU that the processes have used so far. Linux only. */
export function cpuSecondsOf(processes: ParleyProcess[]): number {
  const ticks = processes.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]); // utime and stime, proc(5).
  });
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
