import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { makeTestFolder } from "@parley/testing/test-folder";
import { onTestFinished } from "vitest";

const program = join(import.meta.dirname, "../../dist/parley.js");

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Process of a command that runs. */
export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  /** Waits until the output, of both streams, matches, and returns the match. Rejects if the process ends before, or after a minute. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end of the process. */
  ended(): Promise<Outcome>;
}

/** Command line with its own folder of stored files. */
export interface TestCommandLine {
  /** PARLEY_CONFIG_DIR. */
  readonly folder: string;
  start(...args: string[]): RunningCommand;
  run(...args: string[]): Promise<Outcome>;
}

/** @param variables environment variables in addition to those of the test run */
export function commandLine(variables: Record<string, string> = {}): TestCommandLine {
  const folder = makeTestFolder();
  const {
    PARLEY_URL: _url,
    PARLEY_TOKEN: _token,
    PARLEY_WEBHOOK_SECRET: _secret,
    ...inherited
  } = process.env;
  const env = { ...inherited, PARLEY_CONFIG_DIR: folder, ...variables };
  const start = (...args: string[]) => running(spawn(process.execPath, [program, ...args], { env }));
  return {
    folder,
    start,
    run(...args) {
      const command = start(...args);
      command.child.stdin.end();
      return command.ended();
    },
  };
}

function running(child: ChildProcessWithoutNullStreams): RunningCommand {
  const text = { stdout: "", stderr: "" };
  const closed = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      text[name] += chunk;
    });
  }
  return {
    child,
    async output(pattern) {
      const isLate = AbortSignal.timeout(60_000);
      const late = once(isLate, "abort");
      for (;;) {
        const found = pattern.exec(stripVTControlCharacters(text.stdout + text.stderr));
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The command ended:\n${text.stdout}${text.stderr}`);
        if (isLate.aborted) throw new Error(`No ${pattern} in the output:\n${text.stdout}${text.stderr}`);
        await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), closed, late]);
      }
    },
    async ended() {
      await closed;
      return { code: child.exitCode, ...text };
    },
  };
}
