import { commandLine } from "@parley/command-line";
import { exitCodeOf } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Runs the command line. Prints failures on standard error and returns the exit code. */
export const runCommandLine = commandLine(createProgram, exitCodeOf);
