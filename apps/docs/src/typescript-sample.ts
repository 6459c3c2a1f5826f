import type { Call } from "./calls.ts";
import { oauthFunctions, sdkCalls, sdkClients } from "./sdk-calls.ts";

/** Returns the calls as a program that uses the SDK. */
export function typescriptSample(calls: Call[], server: string): string {
  const names = calls.map(oauthFunctionOf).filter((name) => name !== undefined);
  if (names.length > 0) return oauthProgram(names, calls, server);
  return calls.map((call) => program(call, server)).join("\n\n");
}

function program(call: Call, server: string): string {
  const client = sdkClients[call.scheme === "platformKey" ? "platformKey" : "oauth2"];
  const own = sdkCalls[call.operationId];
  const use = own
    ? `const { data, meta } = await ${fill(own, call)};\nconsole.log(data, meta);`
    : `const { data, error } = await rawClient(${client.name}).${rawCall(call)};\nconsole.log(data ?? error);`;
  return `import { ${client.class}${own ? "" : ", rawClient"} } from "@parley/sdk";

const ${client.name} = new ${client.class}({
  baseUrl: "${server}",
  ${client.option}: process.env.${client.variable} ?? "",
});

${use}`;
}

/** Returns the call from `sdkCalls` with its arguments. */
function fill(own: string, call: Call): string {
  const named: Record<string, unknown> = {
    ...call.ids,
    ...call.query,
    ...(call.body as object),
    body: call.body,
  };
  return own.replace(/…|\{(\w+)\}/g, (_, name?: string) => (name ? literal(named[name]) : argumentsOf(call)));
}

function argumentsOf({ ids, query, body }: Call): string {
  const last = body ?? (Object.keys(query).length > 0 ? query : undefined);
  return [...Object.values(ids), ...(last === undefined ? [] : [last])]
    .map((value) => literal(value))
    .join(", ");
}

/** Returns a call of the raw client: `GET("/api/v1/leads/{id}", { params: { path: … } })`. */
function rawCall({ method, path, ids, query, body }: Call): string {
  const params = {
    ...(Object.keys(ids).length > 0 && { path: ids }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const rest = Object.keys(init).length > 0 ? `, ${literal(init)}` : "";
  return `${method.toUpperCase()}("${path}"${rest})`;
}

function oauthFunctionOf({ operationId, body }: Call): string | undefined {
  const { grant_type: grantType } = (body ?? {}) as { grant_type?: string };
  return oauthFunctions[grantType ? `${operationId} ${grantType}` : operationId];
}

/** Returns a program that passes the fields of the body as options, in camel case. */
function oauthProgram(names: string[], calls: Call[], server: string): string {
  const uses = calls.map(({ body }, index) => {
    const { grant_type: _, ...fields } = body as Record<string, string>;
    const named = Object.entries(fields).map(([name, value]) => [camelCase(name), value]);
    return `console.log(await ${names[index]}(${literal({ baseUrl: server, ...Object.fromEntries(named) })}));`;
  });
  return [`import { ${names.join(", ")} } from "@parley/sdk";`, ...uses].join("\n\n");
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const longestLine = 60;

/** Returns a value as a TypeScript literal, on several lines if one line would be too long. */
function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const members = Array.isArray(value)
    ? value.map((member) => literal(member, inner))
    : Object.entries(value).map(([name, member]) => `${keyOf(name)}: ${literal(member, inner)}`);
  const line = `${open}${members.join(", ")}${close}`;
  if (line.length <= longestLine && !line.includes("\n")) return line;
  return `${open.trim()}\n${members.map((member) => `${inner}${member},\n`).join("")}${indent}${close.trim()}`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
