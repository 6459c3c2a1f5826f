import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const everyMs = 500;

/**
 * Calls `stop` when the `npm start` that launched this process ends, because npm does not always forward SIGTERM. Does nothing if
 * neither npm nor `start.mjs` launched it.
 */
export function stopWithLauncher(stop: () => void): void {
  const launchers = launchersFrom(process.ppid);
  if (launchers.length === 0) return;
  const timer = setInterval(() => {
    if (launchers.every(isAlive)) return;
    clearInterval(timer);
    stop();
  }, everyMs);
  timer.unref();
}

/** Returns the ancestors from `pid` upwards that belong to `npm start`. */
function launchersFrom(pid: number): number[] {
  const { parent, command } = describeProcess(pid);
  return /\bnpm\b|\bstart\.mjs\b/.test(command) ? [pid, ...launchersFrom(parent)] : [];
}

/** Returns parent and command line of a process; an empty command if it cannot be determined. */
function describeProcess(pid: number): { parent: number; command: string } {
  try {
    if (existsSync("/proc/self/stat")) {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return { parent: Number(parent), command };
    }
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [, parent, command = ""] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    return { parent: Number(parent), command };
  } catch {
    return { parent: 0, command: "" };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
