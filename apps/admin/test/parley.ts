import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const program = join(import.meta.dirname, "../src/main.mjs");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `parley` as an operator does, as a process of its own. */
export async function parley(
  environment: Record<string, string>,
  words: string[],
  input = "",
): Promise<Outcome> {
  const { DATABASE_URL: _url, DATA_DIR: _folder, ...inherited } = process.env;
  const child = spawn(process.execPath, [program, ...words], { env: { ...inherited, ...environment } });
  child.stdin.on("error", () => undefined); // It need not read.
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}
