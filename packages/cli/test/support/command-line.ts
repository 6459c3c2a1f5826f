import { join } from "node:path";
import { type Outcome, type Program, startProgram } from "@parley/testing/program";
import { makeTestFolder } from "@parley/testing/test-folder";
import { onTestFinished } from "vitest";

const parley = join(import.meta.dirname, "../../dist/parley.js");

/** Command line with its own folder of stored files. */
export interface TestCommandLine {
  /** PARLEY_CONFIG_DIR. */
  readonly folder: string;
  start(...args: string[]): Program;
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
  function start(...args: string[]): Program {
    const program = startProgram([process.execPath, parley, ...args], { env, interactive: true });
    onTestFinished(program.kill);
    return program;
  }
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
