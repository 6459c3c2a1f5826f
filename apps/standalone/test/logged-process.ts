import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** Program in a separate process, with its output. */
export interface LoggedProcess {
  output(): string;
  /** Waits until the output matches; returns the first group. */
  says(pattern: RegExp): Promise<string>;
  /** Sends SIGTERM and waits until the process ends. */
  end(): Promise<void>;
}

/** @param script path from the repository's root */
export function startProcess(script: string, variables: Record<string, string>): LoggedProcess {
  const child = spawn(process.execPath, [join(repository, script)], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let onOutput = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
      onOutput();
    });
  }
  return {
    output: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        onOutput = () => {
          const found = pattern.exec(output);
          if (found) resolve(found[1] ?? found[0]);
        };
        child.once("exit", () => reject(new Error(`${script} ended:\n${output}`)));
        onOutput();
      }),
    async end() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
