const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL takes the text as a uuid; anything else names no record. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
