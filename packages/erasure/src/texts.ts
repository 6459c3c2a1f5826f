/** Emails to search for in texts, in the forms that they have there. */
export interface SearchedTexts {
  /** The forms, in lower case. A text without them is not compared with the patterns. */
  parts: string[];
  /** Regular expressions of PostgreSQL for a lower-case text, which do not match other emails that contain a form. */
  patterns: string[];
  /** Collation to search for the forms. For ASCII, the conversion to lower case is several times faster without a language. */
  collation: string;
}

/** Returns the forms of emails in lower case: unchanged, in JSON, and percent-encoded as in a URL. */
function formsOf(emails: string[]): string[] {
  const forms = emails.flatMap((email) => [
    email,
    JSON.stringify(email).slice(1, -1),
    encodeURIComponent(email.toWellFormed()).toLowerCase(),
  ]);
  return [...new Set(forms)];
}

export function searchFor(emails: string[]): SearchedTexts {
  const parts = formsOf(emails);
  const collation = parts.every((part) => /^[\x20-\x7e]*$/.test(part)) ? ' COLLATE "C"' : "";
  return { parts, patterns: parts.map((part) => patternOf(part, "[:alnum:]")), collation };
}

/**
 * Returns the SQL condition that a text contains a searched text.
 *
 * @param first number of the parameter with `parts`; the next one has `patterns`
 */
export function containsAny(text: string, first: number, { collation }: SearchedTexts): string {
  return `EXISTS (SELECT FROM unnest($${first}::text[], $${first + 1}::text[]) AS search (part, pattern)
    WHERE CASE WHEN strpos(lower(${text}${collation}), part) > 0 THEN lower(${text}) ~ pattern ELSE false END)`;
}

/** Returns the SQL expression for the ID of the lead that the body of an event refers to; null if there is none. */
export function leadIn(body: string): string {
  // In texts, the quotation marks are escaped. A regular expression takes several times as long.
  const id = `left(split_part(${body}, '"lead_id":"', 2), 36)`;
  return `CASE WHEN pg_input_is_valid(${id}, 'uuid') THEN ${id}::uuid END`;
}

/**
 * Checks whether a text contains one of the emails.
 *
 * @param options.isKey whether `-` and `_` separate the email from other parts, as in `lead-ada@example.com-1`
 */
export function textContains(text: string, emails: string[], { isKey = false } = {}): boolean {
  const lower = text.toLowerCase();
  const pattern = (part: string) => patternOf(part, String.raw`\p{L}\p{N}`, isKey);
  return formsOf(emails).some((part) => lower.includes(part) && new RegExp(pattern(part), "u").test(lower));
}

/**
 * Returns a pattern for an email that is not part of a longer one. Before it may be an escape sequence of JSON or a URL, which ends with a
 * letter or digit. After an email in a key, `-` does not separate it from the rest of a longer domain, as in `ada@example.co-op.com`.
 */
function patternOf(part: string, letters: string, isKey = false): string {
  const literal = part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const before = String.raw`(^|[^${letters}.%+${isKey ? "" : "_-"}]|\\[bfnrt]|\\u[0-9a-f]{4}|%[0-9a-f]{2})`;
  const after = String.raw`$|[^${letters}.-]|\.($|[^${letters}])`;
  const afterInKey = isKey ? String.raw`|-(?![${letters}.-]*\.\p{L}{2})` : "";
  return `${before}${literal}(${after}${afterInKey})`;
}
