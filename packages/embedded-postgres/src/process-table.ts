import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the arguments of a process, separated by spaces; empty if there is no such process, or only a zombie. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === "linux")
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** Sends a signal; returns whether the process exists. Signal 0 only checks. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // The process belongs to another user.
  }
}
