/** Prints a result: one JSON document for programs, or text for people. */
export function print(json: boolean | undefined, data: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(data, null, 2) : text());
}
