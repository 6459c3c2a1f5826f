import { execFileSync } from "node:child_process";

/** Runs shell samples with a `curl` that sends nothing. Returns the arguments of each call, and the output. */
export function runWithoutNetwork(code: string, variables: Record<string, string> = {}, cwd?: string) {
  const recorder = `curl() { printf '\\036'; printf '%s\\037' "$@"; printf '\\036\\n'; }\n`;
  const output = execFileSync("sh", ["-euc", recorder + code], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...variables },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const parts = output.split("\u001e");
  return {
    calls: parts.filter((_, index) => index % 2 === 1).map((call) => call.split("\u001f").slice(0, -1)),
    printed: parts.filter((_, index) => index % 2 === 0).join(""),
  };
}

export interface Call {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Record<string, unknown> | undefined;
  /** Form-encoded, not JSON. */
  form: boolean;
  basic: string | undefined;
}

/** Parses the arguments of curl that the samples use. @throws for other arguments */
export function readCall(given: string[]): Call {
  const call: Call = {
    method: "",
    url: new URL("about:blank"),
    headers: {},
    body: undefined,
    form: false,
    basic: undefined,
  };
  const rest = [...given];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!argument.startsWith("-")) call.url = new URL(argument);
    else readOption(call, argument, rest.shift() ?? "");
  }
  call.method ||= call.body === undefined ? "get" : "post";
  return call;
}

function readOption(call: Call, option: string, value: string): void {
  if (option === "-H") {
    const colon = value.indexOf(": ");
    call.headers[value.slice(0, colon).toLowerCase()] = value.slice(colon + 2);
  } else if (option === "-X") call.method = value.toLowerCase();
  else if (option === "--output") return;
  else if (option === "--user") call.basic = value;
  else if (option === "-d") call.body = JSON.parse(value) as Record<string, unknown>;
  else if (option === "--data" || option === "--data-urlencode") {
    const equals = value.indexOf("=");
    call.body = { ...call.body, [value.slice(0, equals)]: value.slice(equals + 1) };
    call.form = true;
  } else throw new Error(`the samples do not use ${option}`);
}
