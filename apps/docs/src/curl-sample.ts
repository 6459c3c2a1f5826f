import type { Call } from "./calls.ts";

/** Returns the calls as curl commands. */
export function curlSample(calls: Call[], server: string): string {
  return calls.map((call) => command(call, server)).join("\n\n");
}

function command({ method, path, ids, query, body, scheme }: Call, server: string): string {
  const address =
    server + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
  const search = new URLSearchParams(query as Record<string, string>).toString().replaceAll("%3A", ":");
  // curl's default method: POST with a body, otherwise GET.
  const usual = body === undefined ? "get" : "post";
  const option = method === usual ? "" : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${option}${search ? `"${address}?${search}"` : address}`];
  if (scheme)
    lines.push(`-H "Authorization: Bearer ${scheme === "platformKey" ? "$PLATFORM_KEY" : "$ACCESS_TOKEN"}"`);
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(" \\\n  ");
}
