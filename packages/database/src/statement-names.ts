import { createHash } from "node:crypto";

/**
 * Names statements by their text, so that a connection parses and plans each of them once.
 *
 * A prepared statement occupies memory in every connection until it closes, and the texts are without number (an `IN`
 * list has one for each length): beyond `limit` the rest stay unnamed.
 */
export function createStatementNames(limit = 500): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= limit) return ""; // To `pg`, the same as no name.
    const name = createHash("sha256").update(sql).digest("base64url");
    names.set(sql, name);
    return name;
  };
}
