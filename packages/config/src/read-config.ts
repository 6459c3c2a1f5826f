import type { z } from "zod";
import { exampleOf, isSecret, meaningOf } from "./describe-variable.ts";

/**
 * Reads configuration from the environment. An empty variable counts as one that is not set.
 *
 * @throws Error that names every variable that is missing or wrong, with its meaning and an example; it shows no secret
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
      ? "is required, and it is not set"
      : issue.message + received(value, isSecret(variable));
  return `  ${name} ${wrong}.\n    ${meaningOf(variable)}\n    ${exampleOf(name, variable)}`;
}

/** Shows what was received, unless that is a secret or looks like a URL with a password. */
function received(value: string | undefined, secret: boolean): string {
  if (value === undefined) return "";
  return secret || value.includes("@")
    ? ` (received ${value.length} characters, which are not shown)`
    : ` (received ${JSON.stringify(value)})`;
}
