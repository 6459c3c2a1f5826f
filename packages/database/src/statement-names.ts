import { createHash } from "node:crypto";

/**
 * Creates a function that names prepared statements by their text, so that each connection parses and plans them once.
 * Prepared statements use memory in every connection, and the number of texts is unlimited (an `IN` list has another
 * text for each length). Therefore only the first `limit` texts get a name.
 */
export function createStatementNames(limit = 500): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= limit) return ""; // `pg` treats an empty name like no name.
    const name = createHash("sha256").update(sql).digest("base64url");
    names.set(sql, name);
    return name;
  };
}
