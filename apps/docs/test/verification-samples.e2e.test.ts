/** Runs the samples of the chapter that verify a delivery, unchanged. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sampleOf } from "../src/testing/chapters.ts";
import { body, cases, headers, secret } from "./deliveries.ts";
import { runWithoutNetwork } from "./shell.ts";
import { isMissing, starts } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-verify-"));
symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("Node.js without the SDK", () => {
  type Verifier = (rawBody: Buffer, headers: Record<string, string>, secret: string) => boolean;
  const code = sampleOf({ heading: "Verify a signature in Node.js without the SDK", language: "js" });

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
  const code = sampleOf({ heading: "Verify a signature in Python", language: "python" }) + driver;
  const output = execFileSync("python3", ["-c", code], { input: JSON.stringify(cases), encoding: "utf8" });
  const accepted = JSON.parse(output) as boolean[];
  expect(cases.map(({ name }, index) => [name, accepted[index]])).toEqual(
    cases.map((each) => [each.name, each.accepted]),
  );
});

/** Returns whether a program accepts each case. It gets the cases as JSON on standard input and prints an array. */
function verdicts(program: string, args: string[]): [string, boolean | undefined][] {
  const named = cases.map(({ body: rawBody, timestamp, signature }) => ({
    body: rawBody,
    headers: {
      ...(timestamp !== undefined && { "x-parley-timestamp": timestamp }),
      ...(signature !== undefined && { "x-parley-signature": signature }),
    },
  }));
  const env = { PATH: process.env["PATH"], HOME: folder, GOCACHE: join(folder, "cache") };
  const output = execFileSync(program, args, { input: JSON.stringify(named), encoding: "utf8", env });
  const accepted = JSON.parse(output) as boolean[];
  return cases.map(({ name }, index) => [name, accepted[index]]);
}

const expected = cases.map(({ name, accepted }) => [name, accepted]);

test.skipIf(isMissing("php", starts("php")))("PHP", () => {
  const driver = `
$result = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $case) {
    $result[] = isFromParley($case["body"], $case["headers"], ${JSON.stringify(secret)});
}
echo json_encode($result);
`;
  const file = join(folder, "verify.php");
  writeFileSync(file, sampleOf({ heading: "Verify a signature in PHP", language: "php" }) + driver);
  expect(verdicts("php", [file])).toEqual(expected);
});

test.skipIf(isMissing("ruby", starts("ruby")))("Ruby", () => {
  const driver = `
require "json"
cases = JSON.parse($stdin.read)
puts cases.map { |one| from_parley?(one["body"], one["headers"], ${JSON.stringify(secret)}) }.to_json
`;
  const file = join(folder, "verify.rb");
  writeFileSync(file, sampleOf({ heading: "Verify a signature in Ruby", language: "ruby" }) + driver);
  expect(verdicts("ruby", [file])).toEqual(expected);
});

test.skipIf(isMissing("go", starts("go", "version")))("Go", () => {
  const driver = `
func main() {
	var cases []struct {
		Body    string
		Headers map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	result := []bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		result = append(result, isFromParley([]byte(one.Body), header, ${JSON.stringify(secret)}))
	}
	json.NewEncoder(os.Stdout).Encode(result)
}
`;
  const code = sampleOf({ heading: "Verify a signature in Go", language: "go" });
  const file = join(folder, "verify.go");
  writeFileSync(file, code.replace('"encoding/hex"', '"encoding/hex"\n\t"encoding/json"\n\t"os"') + driver);
  expect(verdicts("go", ["run", file])).toEqual(expected);
});

test.skipIf(isMissing("openssl", starts("openssl", "version")))(
  "the shell sample computes the signature in the chapter",
  () => {
    writeFileSync(join(folder, "body.json"), body);
    const code = sampleOf({ heading: "Verify a signature in a shell", language: "sh" });
    const variables = { SECRET: secret, TIMESTAMP: headers["X-Parley-Timestamp"] ?? "" };
    expect(runWithoutNetwork(code, variables, folder).printed.trim()).toBe(headers["X-Parley-Signature"]);
  },
);

describe("a Standard Webhooks library", () => {
  const code = sampleOf({ heading: "Verify a signature with a Standard Webhooks library", language: "js" });

  /** Loads the sample as a function with the variables that a framework provides. */
  async function load() {
    const lines = code.trim().split("\n");
    const [load = "", ...rest] = lines;
    const program = [load, "export function verify(rawBody, headers) {", ...rest, "return { event };", "}"];
    const file = join(folder, "standard.mjs");
    writeFileSync(file, program.join("\n"));
    return (await import(pathToFileURL(file).href)) as {
      verify: (rawBody: string, headers: object) => { event: unknown };
    };
  }

  function signed(seconds: string): Record<string, string> {
    const id = headers["webhook-id"] ?? "";
    const hmac = createHmac("sha256", secret).update(`${id}.${seconds}.${body}`);
    const signature = `v1,${hmac.digest("base64")}`;
    return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signature };
  }

  test("verifies with the key of the sample, and computes the signature in the chapter", async () => {
    vi.stubEnv("PARLEY_WEBHOOK_SECRET", secret);
    const { verify } = await load();
    const fresh = signed(String(Math.floor(Date.now() / 1000)));
    expect(verify(body, fresh).event).toEqual(JSON.parse(body));
    expect(() => verify(`${body} `, fresh)).toThrow("No matching signature");
    expect(signed(headers["webhook-timestamp"] ?? "")["webhook-signature"]).toBe(
      headers["webhook-signature"],
    );
  });
});
