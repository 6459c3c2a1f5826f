/** Collects the values of a repeatable option. */
export function several(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
