import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { format } from "node:util";
import { vi } from "vitest";
import { runCommandLine } from "../run-command-line.ts";

/** Path of the program that `parley-admin` starts. */
export const program = join(import.meta.dirname, "../main.mjs");

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Environment variables that select the database. Those of the test run are removed. */
type Environment = Partial<Record<"DATABASE_URL" | "DATABASE_URL_FILE" | "DATA_DIR", string>>;

/** Runs `parley-admin` in this process, which is faster. Run one command at a time. */
export async function runInProcess(
  { DATABASE_URL, DATABASE_URL_FILE, DATA_DIR }: Environment,
  args: string[],
  input = "",
): Promise<Outcome> {
  const output = { stdout: "", stderr: "" };
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  const capture = (stream: "stdout" | "stderr") => (chunk: unknown) => {
    output[stream] += String(chunk);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(capture("stdout")),
    vi.spyOn(process.stderr, "write").mockImplementation(capture("stderr")),
    vi.spyOn(console, "log").mockImplementation((...values) => (output.stdout += `${format(...values)}\n`)),
    vi.spyOn(console, "error").mockImplementation((...values) => (output.stderr += `${format(...values)}\n`)),
  ];
  vi.stubEnv("DATABASE_URL", DATABASE_URL);
  vi.stubEnv("DATABASE_URL_FILE", DATABASE_URL_FILE);
  vi.stubEnv("DATA_DIR", DATA_DIR);
  Object.defineProperty(process, "stdin", { ...stdin, get: () => Readable.from([input]) });
  try {
    return { code: await runCommandLine(args), ...output };
  } finally {
    Object.defineProperty(process, "stdin", stdin);
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs `parley-admin` in a separate process, as operators do. */
export async function runProgram(environment: Environment, args: string[], input = ""): Promise<Outcome> {
  const { DATABASE_URL: _url, DATA_DIR: _folder, ...inherited } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { ...inherited, ...environment } });
  child.stdin.on("error", () => undefined); // The program may not read its input.
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}
