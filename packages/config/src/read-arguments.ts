import type { z } from "zod";
import { defaultOf, meaningOf } from "./describe-variable.ts";
import { productVersion } from "./product-version.ts";
import type { Program } from "./program.ts";
import { secretNames } from "./secret-files.ts";

/** Text to print instead of running the program. */
export interface Outcome {
  text: string;
  exitCode: 0 | 2;
}

/** Handles `--help`, `--version` and unknown arguments. Returns undefined without arguments. */
export function readArguments(program: Program<z.ZodObject>, args: string[]): Outcome | undefined {
  const unknown = args.find((argument) => !["-h", "--help", "-V", "--version"].includes(argument));
  if (unknown !== undefined) return { text: refusal(program, unknown), exitCode: 2 };
  const [first] = args;
  if (first === undefined) return undefined;
  return { text: first === "-V" || first === "--version" ? productVersion : help(program), exitCode: 0 };
}

function usage({ command }: Program<z.ZodObject>): string {
  return `Usage: ${command} [options]`;
}

function refusal(program: Program<z.ZodObject>, argument: string): string {
  const [option = ""] = argument.split("=");
  const variable = option.replace(/^-+/, "").replaceAll("-", "_").toUpperCase();
  const remedy =
    variable in program.variables.shape
      ? `Set the environment variable ${variable} instead.`
      : "Add --help for the options and environment variables.";
  return `error: unknown argument '${option}'. ${remedy}\n${usage(program)}`;
}

function help(program: Program<z.ZodObject>): string {
  const variables = Object.entries(program.variables.shape).map(([name, variable]) => {
    const value = defaultOf(variable);
    const note = value === undefined ? " (required)" : value && ` (default ${value})`;
    return `  ${name}${note}\n      ${meaningOf(variable)}`;
  });
  const files = secretNames(program.variables.shape)
    .map((name) => `${name}_FILE`)
    .join(", ");
  return `${usage(program)}

${program.purpose}

Options:
  -V, --version  print the version of Parley
  -h, --help     print this help

Environment variables (also in docs/configuration.md):
${variables.join("\n")}

Secrets in files:
  Instead of a secret, you can set a variable with the path of a file that contains it: ${files}.`;
}
