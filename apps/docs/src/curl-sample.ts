import type { Call } from "./calls.ts";
import { addressOf, tokenVariable } from "./sample-parts.ts";

/** Returns the calls as curl commands. */
export function curlSample(calls: Call[], server: string): string {
  return calls.map((call) => command(call, server)).join("\n\n");
}

function command(call: Call, server: string): string {
  const { method, headers, body } = call;
  const address = addressOf(call, server);
  // curl's default method: POST with a body, otherwise GET.
  const usual = body === undefined ? "get" : "post";
  const option = method === usual ? "" : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${option}${address.includes("?") ? `"${address}"` : address}`];
  const variable = tokenVariable(call);
  if (variable) lines.push(`-H "Authorization: Bearer $${variable}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  return lines.join(" \\\n  ");
}

/** Returns a text in single quotes for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
