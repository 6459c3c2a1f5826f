import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

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
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => (output = (output + String(chunk)).slice(-10_000)));
  }
  const exited = once(child, "exit").then(([code]) => code as number | null);
  await untilReady(child, isReady, readyWithinMs).catch((error: Error) => {
    child.kill("SIGKILL");
    throw new Error(`${command.join(" ")}: ${error.message}\n${output}`);
  });
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    pid: child.pid ?? Number.NaN,
    exited,
    signal,
    stop() {
      signal("SIGTERM");
      return exited;
    },
  };
}

async function untilReady(
  child: ChildProcess,
  isReady: () => Promise<boolean>,
  withinMs: number,
): Promise<void> {
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  for (const deadline = Date.now() + withinMs; !(await isReady().catch(() => false)); await sleep(50)) {
    if (failure) throw failure;
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
