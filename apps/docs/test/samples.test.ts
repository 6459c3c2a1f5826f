/** Compares the commands and the JSON of the chapters with the contract. */
import { createHash } from "node:crypto";
import type { WebhookVerificationCode } from "@parley/sdk/webhooks";
import { describe, expect, test } from "vitest";
import { apiCommands, sampleOf, samples } from "../src/testing/chapters.ts";
import { at, parameters, pathOf } from "./description.ts";
import { readCall, runWithoutNetwork } from "./shell.ts";
import { isMissing, starts } from "./tools.ts";

const tokens = {
  CODE: "parley_ac_x",
  ACCESS_TOKEN: "parley_at_x",
  REFRESH_TOKEN: "parley_rt_x",
  PLATFORM_KEY: "parley_pk_x",
  ORGANIZATION: "01928c5e-7000-7a11-8c33-1a2b3c4d5e6f",
};
const form = "application/x-www-form-urlencoded";

/** Returns the differences between a command and the contract: unknown or missing parts of the request. */
function faultsOf(given: string[]): string[] {
  const call = readCall(given);
  const path = pathOf(call.url.pathname) ?? "";
  const operation = ["paths", path, call.method];
  if (at(...operation) === undefined) return [`no operation ${call.method} ${call.url.pathname}`];

  const query = parameters(path, call.method, "query");
  const faults = [...call.url.searchParams.keys()].filter((name) => !query.includes(name));
  const [scheme] = (at(...operation, "security") as object[]).flatMap((each) => Object.keys(each));
  const token = { oauth2: "Bearer parley_at_x", platformKey: "Bearer parley_pk_x" }[scheme ?? ""];
  if (call.headers["authorization"] !== token) faults.push("token");
  if (call.body === undefined) return faults;

  const type = call.form ? form : "application/json";
  if (!call.form && call.headers["content-type"] !== type) faults.push("content type");
  const fields = at(...operation, "requestBody", "content", type, "schema", "properties") as object;
  faults.push(...Object.keys(call.body).filter((name) => !(name in fields)));
  const { client_id, client_secret } = call.body;
  const client = call.basic ?? `${String(client_id)}:${String(client_secret)}`;
  if (path.startsWith("/api/oauth/") && client !== "demo-client:demo-secret") faults.push("client");
  return faults;
}

describe.skipIf(isMissing("openssl", starts("openssl", "version")))("commands", () => {
  test.each(apiCommands)("$chapter, $heading", ({ code }) => {
    const { calls } = runWithoutNetwork(code, { ...tokens, VERIFIER: "v" });
    expect(calls.length).toBeGreaterThan(0);
    const sent = calls.map((call) =>
      call.map((each) => each.replace("parley_at_paste_yours", "parley_at_x")),
    );
    expect(sent.flatMap(faultsOf)).toEqual([]);
  });

  test("the authorization URL and its PKCE challenge", () => {
    const code = sampleOf({ chapter: "authentication", heading: "Create a PKCE verifier" });
    const next = sampleOf({ chapter: "authentication", heading: "Redirect the user to Parley" });
    const { printed } = runWithoutNetwork(`${code}\n${next}\nprintf '%s' "$VERIFIER"`);
    const [address = "", verifier = ""] = printed.split("\n");
    const { pathname, searchParams } = new URL(address);

    expect(verifier).toMatch(/^[\w-]{43,128}$/);
    expect(searchParams.get("code_challenge")).toBe(
      createHash("sha256").update(verifier).digest("base64url"),
    );
    expect(parameters(pathname, "get", "query")).toEqual(
      [...searchParams.keys()].toSorted(byOrderOf(pathname)),
    );
    expect(Object.keys(scopes())).toEqual(
      expect.arrayContaining((searchParams.get("scope") ?? "").split(" ")),
    );
  });
});

function byOrderOf(path: string): (one: string, other: string) => number {
  const order = parameters(path, "get", "query");
  return (one, other) => order.indexOf(one) - order.indexOf(other);
}

function scopes(): object {
  return at("components", "securitySchemes", "oauth2", "flows", "authorizationCode", "scopes") as object;
}

test("the address of the quick start", () => {
  const { pathname, searchParams } = new URL(sampleOf({ chapter: "quick-start", language: "text" }).trim());
  expect(parameters(pathname, "get", "query")).toEqual(expect.arrayContaining([...searchParams.keys()]));
  expect(Object.keys(scopes())).toEqual(expect.arrayContaining((searchParams.get("scope") ?? "").split(" ")));
});

describe("JSON", () => {
  const ok = ["responses", "200", "content", "application/json", "example"];
  const event = ["webhooks", "lead.created", "post", "requestBody", "content", "application/json", "example"];
  const refusal = [
    "components",
    "responses",
    "Forbidden",
    "content",
    "application/json",
    "examples",
    "scope",
    "value",
  ];

  test.each([
    ["introduction", "Read responses", at("paths", "/api/v1/chatbots", "get", ...ok)],
    ["authentication", "Exchange the code for tokens", at("paths", "/api/oauth/token", "post", ...ok)],
    ["receiving-webhooks", "What a delivery looks like", at(...event)],
    ["errors", "", at(...refusal)],
    ["limits", "Rate limits", at(...refusal)],
    ["limits", "Searches at the same time", at(...refusal)],
    ["limits", "When the server is overloaded", at(...refusal)],
  ])("%s, %s: has the form that the contract shows", (chapter, heading, example) => {
    const shown: unknown = JSON.parse(sampleOf({ chapter, heading, language: "json" }));
    expect(formOf(shown)).toEqual(formOf(example));
  });

  test("every JSON sample is checked", () => {
    expect(samples.filter((sample) => sample.language === "json")).toHaveLength(7);
  });
});

/** Returns the names and types of a value's members. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, formOf(member)]));
}

const tags = at("tags") as { name: string; description: string }[];

function chapter(name: string): string {
  return tags.find((tag) => tag.name === name)?.description ?? "";
}

test("the tables of the chapters list every scope, error code and rate-limit header", () => {
  const chapters = tags.map(({ description }) => description).join("\n");
  const codes = ["ApiError", "OAuthError"].flatMap(
    (schema) => at("components", "schemas", schema, "properties", "error", "x-extensible-enum") as string[],
  );
  const headers = Object.keys(at("components", "responses", "TooManyRequests", "headers") as object);
  for (const name of [...Object.keys(scopes()), ...codes, ...headers])
    expect(chapters).toContain(`\`${name}\``);
});

test("the changelog begins with the version of the contract", () => {
  const [newest] = /(?<=^## ).+$/m.exec(chapter("changelog")) ?? [];
  expect(newest).toBe(at("info", "version"));
});

test("the chapter about verification lists every reason for which the SDK refuses a delivery", () => {
  const reasons: Record<WebhookVerificationCode, true> = {
    missing_header: true,
    malformed_signature: true,
    malformed_timestamp: true,
    timestamp_too_old: true,
    timestamp_in_future: true,
    reserialized_payload: true,
    malformed_secret: true,
    signature_mismatch: true,
    malformed_payload: true,
    missing_secret: true,
  };
  for (const reason of Object.keys(reasons)) expect(chapter("verification")).toContain(`\`${reason}\``);
});
