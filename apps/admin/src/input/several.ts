/** Collects an option that may be given several times. */
export function several(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
