import type { z } from "zod";
import { exampleOf, isSecret, meaningOf } from "./describe-variable.ts";

/**
 * Reads the configuration from environment variables. An empty variable counts as not set.
 *
 * @throws Error with every missing or invalid variable, its description and an example, without secrets
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = schema.safeParse(set);
  if (result.success) return result.data;

  const problems = Object.entries(schema.shape).flatMap(([name, variable]) => {
    const issue = result.error.issues.find(({ path }) => path[0] === name);
    return issue ? [describeProblem(name, variable, set[name], issue)] : [];
  });
  throw new Error(
    [
      "The configuration is not valid.",
      ...problems,
      "docs/configuration.md describes every environment variable.",
    ].join("\n\n"),
  );
}

function describeProblem(
  name: string,
  variable: z.core.$ZodType,
  value: string | undefined,
  issue: z.core.$ZodIssue,
): string {
  const wrong =
    value === undefined && issue.code === "invalid_type"
      ? "is required but not set"
      : issue.message + received(value, isSecret(variable));
  return `  ${name} ${wrong}.\n    ${meaningOf(variable)}\n    ${exampleOf(name, variable)}`;
}

/** Returns the received value, unless it is a secret or may be a URL with a password. */
function received(value: string | undefined, secret: boolean): string {
  if (value === undefined) return "";
  return secret || value.includes("@")
    ? ` (received ${value.length} characters, not shown)`
    : ` (received ${JSON.stringify(value)})`;
}
