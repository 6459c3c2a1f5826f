import type { z } from "zod";
import { exampleOf, isSecret, meaningOf } from "./describe-variable.ts";
import { readSecretFiles } from "./secret-files.ts";

/**
 * Reads the configuration from environment variables, and secrets also from files. An empty variable counts as not set.
 *
 * @throws Error with every missing or invalid variable, its description and an example, without secrets
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { values, files, problems: unusable } = readSecretFiles(schema.shape, set);
  const result = schema.safeParse(values);
  if (result.success && Object.keys(unusable).length === 0) return result.data;

  const problems = Object.entries(schema.shape).flatMap(([name, variable]) => {
    const reason = unusable[name];
    if (reason !== undefined) {
      return [describe(`${name}_FILE cannot be used: ${reason} (${set[`${name}_FILE`]})`, name, variable)];
    }
    const issue = result.error?.issues.find(({ path }) => path[0] === name);
    if (issue === undefined) return [];
    return [describe(`${name} ${wrongAbout(variable, values[name], issue, files[name])}`, name, variable)];
  });
  throw new Error(
    [
      "The configuration is not valid.",
      ...problems,
      "docs/configuration.md describes every environment variable.",
    ].join("\n\n"),
  );
}

function describe(problem: string, name: string, variable: z.core.$ZodType): string {
  return `  ${problem}.\n    ${meaningOf(variable)}\n    ${exampleOf(name, variable)}`;
}

function wrongAbout(
  variable: z.core.$ZodType,
  value: string | undefined,
  issue: z.core.$ZodIssue,
  file: string | undefined,
): string {
  return value === undefined && issue.code === "invalid_type"
    ? "is required but not set"
    : issue.message + received(value, isSecret(variable), file);
}

/** Returns the received value, unless it is a secret or may be a URL with a password. */
function received(value: string | undefined, secret: boolean, file: string | undefined): string {
  if (value === undefined) return "";
  const source = file === undefined ? "" : ` from ${file}`;
  return secret || value.includes("@")
    ? ` (received ${value.length} characters${source}, not shown)`
    : ` (received ${JSON.stringify(value)})`;
}
