import type { z } from "zod";

/**
 * Reads configuration from the environment. An empty variable counts as one that is not set.
 *
 * @throws Error that names every variable that is missing or wrong
 */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = schema.safeParse(set);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  throw new Error(`The configuration is not valid:\n${problems.join("\n")}`);
}
