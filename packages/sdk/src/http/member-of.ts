/** Returns a member of a JSON object; undefined when there is none. */
export function memberOf(body: unknown, name: string): unknown {
  return (body as Record<string, unknown> | null)?.[name];
}
