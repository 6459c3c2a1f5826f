import { spawnSync } from "node:child_process";

/**
 * Returns whether a test must be skipped because a tool is not installed, and prints a warning. In CI a missing tool is an
 * error.
 */
export function isMissing(tool: string, found: boolean): boolean {
  if (found) return false;
  if (process.env["CI"]) throw new Error(`${tool} is missing, and CI must not skip tests`);
  console.warn(`skipped: this machine has no ${tool}`);
  return true;
}

/** Returns whether a command starts. */
export function starts(command: string, argument = "--version"): boolean {
  return spawnSync(command, [argument], { stdio: "ignore" }).error === undefined;
}
