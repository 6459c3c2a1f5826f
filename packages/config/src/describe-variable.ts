import { z } from "zod";

/** Returns the default of a variable as text; undefined if the variable is required. */
export function defaultOf(schema: z.core.$ZodType): string | undefined {
  const result = z.safeParse(schema, undefined);
  if (!result.success) return undefined;
  const value = Array.isArray(result.data) ? result.data.join(",") : (result.data ?? "");
  return String(value as string | number | boolean);
}

/** Returns the description of a variable, with its bounds. */
export function meaningOf(schema: z.core.$ZodType): string {
  const { minimum, maximum } = z.toJSONSchema(schema, { unrepresentable: "any" });
  const bounds = minimum === undefined || maximum === undefined ? [] : [`From ${minimum} to ${maximum}.`];
  return [metaOf(schema).description ?? "", ...bounds].join(" ");
}

/** Returns a line with an example assignment, or with the command that creates a value. */
export function exampleOf(name: string, schema: z.core.$ZodType): string {
  const { create, example = defaultOf(schema) ?? "" } = metaOf(schema);
  return create === undefined ? `Example: ${name}=${example}` : `Create one with: ${create}`;
}

/** Returns an example in Markdown, or the command that creates a value; empty if the variable has neither. */
export function markdownExampleOf(schema: z.core.$ZodType): string {
  const { create, example } = metaOf(schema);
  if (create !== undefined) return `created with \`${create}\``;
  return example === undefined ? "" : `\`${example}\``;
}

/** Checks whether the value of a variable is secret. */
export function isSecret(schema: z.core.$ZodType): boolean {
  return metaOf(schema).secret === true;
}

function metaOf(schema: z.core.$ZodType): z.GlobalMeta {
  return z.globalRegistry.get(schema) ?? {};
}
