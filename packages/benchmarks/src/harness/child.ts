import { fork } from "node:child_process";
import { once } from "node:events";
import type { Answer, Call, Commands } from "./serve.ts";

/** A module that runs in a process of its own and answers calls. */
export interface Child<Served extends Commands> {
  call<Name extends keyof Served & string>(
    name: Name,
    ...args: Parameters<Served[Name]>
  ): Promise<Awaited<ReturnType<Served[Name]>>>;
  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends it in the middle of whatever it does (SIGKILL); resolves when it is gone. */
  kill(): Promise<void>;
}

export interface ChildOptions {
  /** Added to this process's environment. */
  env?: Record<string, string>;
}

/** Starts a module that calls `serve`. Node's own options (`--cpu-prof`) are passed on through `NODE_OPTIONS`. */
export function startChild<Served extends Commands>(
  module: string,
  { env }: ChildOptions = {},
): Child<Served> {
  const child = fork(module, {
    serialization: "advanced",
    execArgv: [],
    env: { ...process.env, ...env },
    // What servers log is written as in production, and goes nowhere.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;

  child.on("message", ({ id, result, error }: Answer) => {
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${module}: ${error}`));
    waiting.delete(id);
  });
  child.on("exit", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${module} ended (${signal ?? code})`));
    waiting.clear();
  });

  const isGone = () => child.exitCode !== null || child.signalCode !== null;
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
    async stop() {
      if (isGone()) return;
      const exited = once(child, "exit");
      // Without its channel it exits by itself, and writes its profile if one was asked for.
      if (child.connected) child.disconnect();
      const impatient = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(impatient);
    },
    async kill() {
      if (isGone()) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
