import type { Call } from "./calls.ts";

/** Returns the URL of a call with its query. */
export function addressOf({ path, ids, query }: Call, server: string): string {
  const address =
    server + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)]),
  );
  const search = new URLSearchParams(pairs).toString().replaceAll("%3A", ":");
  return search ? `${address}?${search}` : address;
}

/** Returns the environment variable with the token of a call; undefined if it needs none. */
export function tokenVariable({ scheme }: Call): "ACCESS_TOKEN" | "PLATFORM_KEY" | undefined {
  if (scheme === undefined) return undefined;
  return scheme === "platformKey" ? "PLATFORM_KEY" : "ACCESS_TOKEN";
}
