import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";
import { isSecret } from "./describe-variable.ts";

/** Environment in which secrets from files are set like other variables. */
interface WithSecrets {
  values: NodeJS.ProcessEnv;
  /** Path of the file for each variable that was read from a file. */
  files: Record<string, string>;
  /** Reason for each variable that cannot be read from its file, without contents of the file. */
  problems: Record<string, string>;
}

/** Maximum size of a file in bytes. */
const maxSize = 65_536;

/** Returns the names of the variables that can be read from a file, without `_FILE`. */
export function secretNames(shape: z.ZodObject["shape"]): string[] {
  return Object.entries(shape).flatMap(([name, variable]) => (isSecret(variable) ? [name] : []));
}

/** Reads every secret variable `NAME` for which `NAME_FILE` is set from that file. */
export function readSecretFiles(shape: z.ZodObject["shape"], environment: NodeJS.ProcessEnv): WithSecrets {
  const result: WithSecrets = { values: { ...environment }, files: {}, problems: {} };
  for (const name of secretNames(shape)) {
    const file = environment[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      if (environment[name] !== undefined)
        throw new UnusableFileError(`${name} is also set; remove one of the two`);
      result.values[name] = readSecret(file);
      result.files[name] = file;
    } catch (error) {
      result.problems[name] = reasonOf(error);
    }
  }
  return result;
}

class UnusableFileError extends Error {}

/** Returns the content of a file without the line break at its end. */
function readSecret(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile()) throw new UnusableFileError("it is not a regular file");
  if (stats.size > maxSize) throw new UnusableFileError(`it is larger than ${maxSize} bytes`);
  const text = decode(readFileSync(file)).replace(/\r?\n$/, "");
  if (text === "") throw new UnusableFileError("it is empty");
  return text;
}

function decode(content: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new UnusableFileError("it is not text in UTF-8");
  }
}

const reasons: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "this user lacks the permission to read it",
};

function reasonOf(error: unknown): string {
  if (error instanceof UnusableFileError) return error.message;
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return reasons[code] ?? `it cannot be read (${code})`;
}
