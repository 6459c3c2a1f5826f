import type { Call } from "./calls.ts";
import { addressOf, tokenVariable } from "./sample-parts.ts";

/** Returns the calls as a PHP program that uses the curl extension. */
export function phpSample(calls: Call[], server: string): string {
  return ["<?php", ...calls.map((call) => request(call, server))].join("\n\n");
}

function request(call: Call, server: string): string {
  const { method, body } = call;
  const variable = tokenVariable(call);
  const headers = [
    variable && `"Authorization: Bearer " . getenv("${variable}")`,
    body !== undefined && '"Content-Type: application/json"',
  ].filter(Boolean);
  const options = [
    method !== "get" && `CURLOPT_CUSTOMREQUEST => "${method.toUpperCase()}"`,
    headers.length > 0 && `CURLOPT_HTTPHEADER => [${headers.join(", ")}]`,
    body !== undefined && `CURLOPT_POSTFIELDS => json_encode(${literal(body, "    ")})`,
    "CURLOPT_RETURNTRANSFER => true",
    "CURLOPT_FAILONERROR => true",
  ];
  return `$curl = curl_init(${text(addressOf(call, server))});
curl_setopt_array($curl, [
${options
  .filter(Boolean)
  .map((option) => `    ${option},\n`)
  .join("")}]);
$response = curl_exec($curl);
if ($response === false) {
    throw new RuntimeException(curl_error($curl));
}
print_r(json_decode($response, true));`;
}

function literal(value: unknown, indent: string): string {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}    `;
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, inner))
    : Object.entries(value).map(([name, member]) => `${text(name)} => ${literal(member, inner)}`);
  if (members.length === 0) return Array.isArray(value) ? "[]" : "new stdClass()";
  return `[\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}]`;
}

/** Returns a string in double quotes, in which PHP would replace names after a dollar sign. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll("\\/", "/").replaceAll("$", "\\$");
}
