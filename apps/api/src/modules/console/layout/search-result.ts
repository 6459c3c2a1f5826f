import type { Position } from "@parley/database";
import { emptyState, type Html, html, warning } from "@parley/ui";
import { logTime } from "./time.ts";

interface SearchResult {
  /** Name of what the list contains, for example `delivery`. */
  noun: string;
  /** Where the next page begins; null on the last. */
  next: Position | null;
  /** Text for a list without matches: what is missing, and how it gets there. */
  empty: string;
}

/** Renders a page of a list, or why it has no rows: nothing matches, or nothing that was searched so far. @param rows undefined if there are none */
export function searchResult(rows: Html | undefined, { noun, next, empty }: SearchResult): Html {
  if (rows) return rows;
  if (next === null) return emptyState(`No ${noun} matches. ${empty}`);
  return warning(
    html`No ${noun} matches since ${logTime(new Date(next.time))}. “Older” continues the search.`,
  );
}
