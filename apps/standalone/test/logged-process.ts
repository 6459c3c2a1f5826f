import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** A program of ours in a process of its own, and everything that it logs. */
export interface LoggedProcess {
  output(): string;
  /** Waits until it says something. */
  says(words: RegExp): Promise<string>;
  /** Asks it to end, and resolves when it has. */
  end(): Promise<void>;
}

/** @param script path from the repository's root */
export function startProcess(script: string, variables: Record<string, string>): LoggedProcess {
  const child = spawn(process.execPath, [join(repository, script)], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let heard = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
      heard();
    });
  }
  return {
    output: () => output,
    says: (words) =>
      new Promise((resolve, reject) => {
        heard = () => {
          const found = words.exec(output);
          if (found) resolve(found[1] ?? found[0]);
        };
        child.once("exit", () => reject(new Error(`${script} ended:\n${output}`)));
        heard();
      }),
    async end() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
