/** Options and queries of the search, for the build, the browser and the tests. */
import type MiniSearch from "minisearch";
import type { Options, SearchResult } from "minisearch";

/** Part of a page that the search found. */
export interface Hit extends SearchResult {
  /** Address of the page, with the anchor of a section. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly section: string;
  readonly description: string;
}

/** Words that mean the same to readers. A query with one of them also finds the others, with a lower score. */
const synonyms = [
  ["signature", "hmac", "verify", "sign", "signing"],
  ["429", "rate", "throttle", "quota", "limits"],
  ["sandbox", "demo", "playground"],
  ["logout", "revoke", "disconnect", "signout"],
  ["swagger", "openapi", "contract", "redoc"],
  ["date", "time", "times", "timestamp"],
  ["login", "oauth", "authorize", "authentication", "auth"],
  ["paging", "pagination", "paginate", "cursor", "offset"],
  ["hook", "webhook", "webhooks", "callback"],
  ["delete", "remove", "unsubscribe"],
  ["retry", "retries", "backoff"],
  ["localhost", "tunnel", "ngrok", "cli", "locally", "local"],
  ["secret", "key", "credentials"],
  ["customer", "contact", "prospect", "lead"],
  ["chat", "conversation", "message"],
  ["appointment", "booking", "calendar", "meeting"],
  ["poll", "polling", "sync", "since"],
  ["dedupe", "duplicate", "duplicates", "idempotency", "idempotent"],
  ["401", "unauthorized", "invalid_token"],
  ["403", "insufficient_scope", "plan_required", "forbidden"],
  ["404", "not_found", "missing"],
  ["410", "expired"],
  ["500", "server_error"],
];

export const searchOptions: Options = {
  fields: ["title", "heading", "description", "text"],
  storeFields: ["title", "heading", "section", "description"],
  // Names such as `lead.created` and `not_found` are found as a whole and by their parts.
  tokenize: (text) => text.split(/[\s/|(){}[\]<>"'`:;,!?=]+/).flatMap(partsOf),
  // Singular and plural are the same word.
  processTerm: (term) => term.toLowerCase().replace(/(?<=\w{3})s$/, ""),
  searchOptions: {
    boost: { title: 4, heading: 5, description: 1.5 },
    // Readers look first for guides, and for operations and events, of which schemas and the SDK's types are parts.
    boostDocument: (_id, _term, stored) =>
      ["Schemas", "SDK"].includes(String(stored?.["section"])) ? 0.3 : 1,
    fuzzy: (term) => (term.length > 3 && !/\d/.test(term) ? 0.2 : false),
    prefix: (term) => term.length > 1,
    weights: { fuzzy: 0.3, prefix: 0.5 },
  },
};

function partsOf(word: string): string[] {
  const trimmed = word.replace(/^[.\-_*#]+|[.\-_*#]+$/g, "");
  const parts = trimmed.split(/[._-]|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  return parts.length > 1 ? [trimmed, ...parts] : parts;
}

/** Returns the hits of a query, best first. */
export function search(index: MiniSearch, query: string, limit: number): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const others = synonyms.filter((group) => group.some((word) => words.includes(word))).flat();
  const own = index.search(query, { combineWith: "AND" });
  const loose = own.length > 1 ? own : index.search(query);
  const related =
    others.length === 0
      ? []
      : index.search(others.filter((word) => !words.includes(word)).join(" "), {
          fuzzy: false,
          prefix: false,
        });
  const scores = new Map((loose as Hit[]).map((hit) => [hit.id, hit]));
  for (const hit of related as Hit[]) {
    const known = scores.get(hit.id);
    const score = hit.score * 0.4;
    scores.set(hit.id, known ? { ...known, score: known.score + score } : { ...hit, score });
  }
  // A query that is the name of something finds it first. Names of the SDK and of schemas are words of the language in lower case.
  const name = query.trim();
  const isNamed = ({ title, heading, section }: Hit) =>
    ["Schemas", "SDK"].includes(section)
      ? [title, heading.replace("()", "")].includes(name)
      : title.toLowerCase() === name.toLowerCase();
  return [...scores.values()]
    .map((hit) => (isNamed(hit) ? { ...hit, score: hit.score * 10 } : hit))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
