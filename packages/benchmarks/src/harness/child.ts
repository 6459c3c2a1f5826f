import { fork } from "node:child_process";
import { once } from "node:events";

/** Commands of a child process. Arguments and results are sent by structured clone. */
export type Commands = Record<string, (...args: never[]) => unknown>;

interface Call {
  id: number;
  name: string;
  args: unknown[];
}

interface Reply {
  id: number;
  result?: unknown;
  /** Why the command failed. */
  error?: string;
}

/** A module that runs in a separate process and responds to calls. */
export interface Child<Served extends Commands> {
  call<Name extends keyof Served & string>(
    name: Name,
    ...args: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>>;
  /** Ends the process; resolves when it has ended. */
  stop(): Promise<void>;
  /** Kills the process (SIGKILL); resolves when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a module that calls `serve`. Node's own options (`--cpu-prof`) are passed on through `NODE_OPTIONS`.
 *
 * @param env added to this process's environment
 */
export function startChild<Served extends Commands>(
  module: string,
  env: Record<string, string> = {},
): Child<Served> {
  const child = fork(module, {
    serialization: "advanced",
    execArgv: [],
    env: { ...process.env, ...env },
    // Servers write their log as in production; it is discarded.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;

  child.on("message", ({ id, result, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${module}: ${error}`));
    waiting.delete(id);
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended (${signal ?? code})`));
    waiting.clear();
  });

  /** Without its channel a child exits by itself, and writes its profile if one was asked for. */
  async function end(killAfterMs: number): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    if (killAfterMs > 0 && child.connected) child.disconnect();
    await exited;
    clearTimeout(timer);
  }
  return {
    call(name, ...args) {
      type Result = Awaited<ReturnType<Served[typeof name]>>;
      return new Promise<Result>((resolve, reject) => {
        const id = calls++;
        waiting.set(id, { resolve: (result) => resolve(result as Result), reject });
        const call: Call = { id, name, args };
        child.send(call, (error) => error && reject(error));
      });
    },
    stop: () => end(5_000),
    kill: () => end(0),
  };
}

/** Handles the parent's calls until the parent ends. Ctrl-C is left to the parent, which stops its children. */
export function serve(commands: Commands): void {
  async function handle({ id, name, args }: Call): Promise<Reply> {
    try {
      return { id, result: await commands[name]?.(...(args as never[])) };
    } catch (error) {
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit());
  process.on("message", (call: Call) => {
    void handle(call).then((message) => process.connected && process.send?.(message));
  });
}

/** Seconds of CPU that this process has used so far, all threads together. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
