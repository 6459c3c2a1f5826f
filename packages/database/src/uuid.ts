const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks whether a text is a UUID that PostgreSQL accepts. Other texts are the ID of no record. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
