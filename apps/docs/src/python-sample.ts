import type { Call } from "./calls.ts";
import { addressOf, tokenVariable } from "./sample-parts.ts";

/** Returns the calls as a Python program that uses `requests`. */
export function pythonSample(calls: Call[], server: string): string {
  const imports = calls.some((call) => tokenVariable(call))
    ? "import os\n\nimport requests  # pip install requests"
    : "import requests  # pip install requests";
  return [imports, ...calls.map((call) => request(call, server))].join("\n\n");
}

function request(call: Call, server: string): string {
  const { method, query, body } = call;
  const variable = tokenVariable(call);
  const parameters = [
    JSON.stringify(addressOf({ ...call, query: {} }, server)),
    variable && `headers={"Authorization": f"Bearer {os.environ['${variable}']}"}`,
    Object.keys(query).length > 0 && `params=${literal(query, "    ")}`,
    body !== undefined && `json=${literal(body, "    ")}`,
    "timeout=30",
  ];
  const lines = parameters.filter(Boolean).map((parameter) => `    ${parameter},\n`);
  return `response = requests.${method}(\n${lines.join("")})\nresponse.raise_for_status()\nprint(response.json())`;
}

function literal(value: unknown, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (members.length === 0) return `${open}${close}`;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}${close}`;
}
