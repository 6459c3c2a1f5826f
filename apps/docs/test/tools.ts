import { spawnSync } from "node:child_process";

/**
 * Whether a test that needs the tool must be skipped because the machine lacks it; says so in a line.
 * In CI everything is there, so a missing tool is an error.
 */
export function isMissing(tool: string, found: boolean): boolean {
  if (found) return false;
  if (process.env["CI"]) throw new Error(`${tool} is missing, and CI must not skip tests`);
  console.warn(`skipped: this machine has no ${tool}`);
  return true;
}

/** Whether the command starts. */
export function starts(command: string, argument = "--version"): boolean {
  return spawnSync(command, [argument], { stdio: "ignore" }).error === undefined;
}
