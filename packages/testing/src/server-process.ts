import { once } from "node:events";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, startProgram } from "./program.ts";

export interface ServerProcess {
  pid: number;
  /** Resolves with the exit code; null when a signal ended the process. */
  exited: Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Ends it with SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

interface Command {
  command: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Checks whether the server responds. */
  isReady: () => Promise<boolean>;
  /** Time until the server must be ready. Default: 60 s. */
  readyWithinMs?: number;
}

/**
 * Starts a server in another process, and resolves when it is ready. Its output is printed only if it does not become ready.
 *
 * @throws Error with the output if the process ends or is not ready in time
 */
export async function startServerProcess(options: Command): Promise<ServerProcess> {
  const { command, env, cwd, isReady, readyWithinMs = 60_000 } = options;
  const program = startProgram(command, { ...(cwd && { cwd }), ...(env && { env }) });
  const exited = once(program.child, "exit").then(([code]) => code as number | null);
  exited.catch(() => {}); // Failing to start is in the output.
  await untilReady(program, isReady, readyWithinMs).catch((error: Error) => {
    program.kill();
    throw new Error(`${command.join(" ")}: ${error.message}\n${program.text().slice(-10_000)}`);
  });
  const signal = (name: NodeJS.Signals) => void program.child.kill(name);
  return {
    pid: program.child.pid ?? Number.NaN,
    exited,
    signal,
    stop() {
      signal("SIGTERM");
      return exited;
    },
  };
}

async function untilReady(
  { child }: Program,
  isReady: () => Promise<boolean>,
  withinMs: number,
): Promise<void> {
  for (const deadline = Date.now() + withinMs; !(await isReady().catch(() => false)); await sleep(50)) {
    if (child.pid === undefined) throw new Error("did not start");
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`ended with ${child.exitCode ?? child.signalCode}`);
    }
    if (Date.now() > deadline) throw new Error(`is not ready after ${withinMs} ms`);
  }
}

/** Checks whether a URL responds with 2xx. */
export async function respondsOk(url: string): Promise<boolean> {
  return (await fetch(url)).ok;
}

/** Checks whether a program listens on a port of this machine. */
export async function acceptsConnections(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } finally {
    socket.destroy();
  }
}
