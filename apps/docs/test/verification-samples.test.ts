/** The samples that verify a delivery, run as they stand in the chapter. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { sampleOf } from "./chapters.ts";
import { runWithoutNetwork } from "./shell.ts";
import { isMissing, starts } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = "parley_ws_q4yJ8m2Zk0b1xv7Tn3cWf9Rd6hLs5gPaEuYiOoKjHwM";
const shown = { chapter: "receiving-webhooks", heading: "What a delivery looks like" };
const body = JSON.stringify(JSON.parse(sampleOf({ ...shown, language: "json" })));
const lines = sampleOf({ ...shown, language: "http" })
  .trim()
  .split("\n")
  .slice(1);
const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));

interface Case {
  name: string;
  body: string;
  timestamp: string | undefined;
  signature: string | undefined;
  accepted: boolean;
}

/** A delivery that was signed `age` seconds ago, with a change. */
function delivery(name: string, age: number, accepted: boolean, change: Partial<Case> = {}): Case {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
  return { name, body, timestamp, signature, accepted, ...change };
}

const cases: Case[] = [
  delivery("fresh", 0, true),
  delivery("290 s old", 290, true),
  delivery("290 s ahead", -290, true),
  delivery("310 s old", 310, false),
  delivery("310 s ahead", -310, false),
  delivery("changed body", 0, false, { body: `${body} ` }),
  delivery("changed timestamp", 0, false, { timestamp: String(Math.floor(Date.now() / 1000) - 1) }),
  delivery("timestamp in words", 0, false, { timestamp: "now" }),
  delivery("signature of the same length", 0, false, { signature: `sha256=${"0".repeat(64)}` }),
  delivery("signature with other letters", 0, false, { signature: `sha256=${"é".repeat(64)}` }),
  delivery("short signature", 0, false, { signature: "sha256=" }),
  delivery("no timestamp", 0, false, { timestamp: undefined }),
  delivery("no signature", 0, false, { signature: undefined }),
];

describe("Node.js", () => {
  type Verifier = (rawBody: Buffer, headers: Record<string, string>, secret: string) => boolean;
  const code = sampleOf({ heading: "Verify in Node.js", language: "js" });

  test.each(cases)("$name", async (each) => {
    const file = join(folder, "verify.mjs");
    writeFileSync(file, code);
    const { isFromParley } = (await import(pathToFileURL(file).href)) as { isFromParley: Verifier };
    const given: Record<string, string> = {};
    if (each.timestamp !== undefined) given["x-parley-timestamp"] = each.timestamp;
    if (each.signature !== undefined) given["x-parley-signature"] = each.signature;
    expect(isFromParley(Buffer.from(each.body), given, secret)).toBe(each.accepted);
  });
});

test.skipIf(isMissing("python3", starts("python3")))("Python", () => {
  const driver = `
import json, sys
cases = json.load(sys.stdin)
names = {"timestamp": "X-Parley-Timestamp", "signature": "X-Parley-Signature"}
result = [
    is_from_parley(case["body"].encode(), {names[key]: case[key] for key in names if key in case}, ${JSON.stringify(secret)})
    for case in cases
]
print(json.dumps(result))
`;
  const code = sampleOf({ heading: "Verify in Python", language: "python" }) + driver;
  const output = execFileSync("python3", ["-c", code], { input: JSON.stringify(cases), encoding: "utf8" });
  const accepted = JSON.parse(output) as boolean[];
  expect(cases.map(({ name }, index) => [name, accepted[index]])).toEqual(
    cases.map((each) => [each.name, each.accepted]),
  );
});

test.skipIf(isMissing("openssl", starts("openssl", "version")))(
  "shell, and the signature that is shown",
  () => {
    writeFileSync(join(folder, "body.json"), body);
    const code = sampleOf({ heading: "Verify in a shell", language: "sh" });
    const variables = { SECRET: secret, TIMESTAMP: headers["X-Parley-Timestamp"] ?? "" };
    expect(runWithoutNetwork(code, variables, folder).printed.trim()).toBe(headers["X-Parley-Signature"]);
  },
);

test("the Standard Webhooks signature that is shown, by the key of the sample", async () => {
  const code = sampleOf({ heading: "Verify with a Standard Webhooks library", language: "js" });
  const file = join(folder, "key.mjs");
  writeFileSync(file, `export ${/^const key = .+;$/m.exec(code)?.[0]}`);
  process.env["PARLEY_WEBHOOK_SECRET"] = secret;
  const { key } = (await import(pathToFileURL(file).href)) as { key: string };

  expect(key).toMatch(/^whsec_/);
  const hmac = createHmac("sha256", Buffer.from(key.replace("whsec_", ""), "base64"));
  hmac.update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  expect(headers["webhook-signature"]).toBe(`v1,${hmac.digest("base64")}`);
});
