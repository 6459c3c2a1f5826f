import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** How a program ended, and what it printed. */
export interface Outcome {
  /** Exit code; null if a signal ended the program. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Program in another process. */
export interface Program {
  child: ChildProcessWithoutNullStreams;
  /** Returns the output of both streams so far, without control sequences of terminals. */
  text: () => string;
  /**
   * Waits until the output matches, and returns the match.
   *
   * @param withinMs milliseconds; a minute by default
   * @throws Error with the output if it does not match before the program ends or the time is over
   */
  output: (pattern: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  /** Waits for the end. */
  ended: () => Promise<Outcome>;
  /** Sends a signal, SIGTERM by default, and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<Outcome>;
  /** Sends SIGKILL, also to its child processes if it is detached. */
  kill: () => void;
}

interface Options extends Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> {
  /** Whether it has its own process group, as in a terminal. Default: false. */
  detached?: boolean;
  /** Whether its input stays open. Default: false, as with `< /dev/null`. */
  interactive?: boolean;
}

/** Starts a program and collects its output. Tests stop it: `onTestFinished(program.kill)`. */
export function startProgram([file = "", ...args]: string[], options: Options = {}): Program {
  const { interactive = false, ...others } = options;
  const child = spawn(file, args, others);
  const printed = { stdout: "", stderr: "" };
  let text = "";
  function add(stream: keyof typeof printed, chunk: string): void {
    printed[stream] += chunk;
    text += chunk;
  }
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => add(stream, chunk));
  }
  child.on("error", ({ message }) => add("stderr", message));
  child.stdin.on("error", () => {}); // The program ended without reading its input.
  if (!interactive) child.stdin.end();
  let hasEnded = false;
  const closed = once(child, "close").finally(() => {
    hasEnded = true;
  });
  closed.catch(() => {}); // Failing to start is in the output.

  const program: Program = {
    child,
    text: () => stripVTControlCharacters(text),
    async output(pattern, withinMs = 60_000) {
      for (const deadline = Date.now() + withinMs; ; await sleep(20)) {
        const isLast = hasEnded || Date.now() > deadline;
        const found = pattern.exec(program.text());
        if (found) return found;
        if (isLast) throw new Error(`${file} ${hasEnded ? "ended" : "runs"} without ${pattern}:\n${text}`);
      }
    },
    async ended() {
      await closed;
      return { code: child.exitCode, ...printed };
    },
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return program.ended();
    },
    kill() {
      if (child.pid === undefined || hasEnded) return;
      if (options.detached) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    },
  };
  return program;
}
