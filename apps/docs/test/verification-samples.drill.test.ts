/** Runs the samples of the chapter about verification, unchanged. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { sampleOf, samples } from "../src/testing/chapters.ts";
import { body, headers, secret } from "./deliveries.ts";
import { runWithoutNetwork } from "./shell.ts";
import { isMissing, starts } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-verify-"));
symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a public key", () => {
  const pair = generateKeyPairSync("ed25519");
  const id = headers["webhook-id"] ?? "";
  const key = { ...pair.publicKey.export({ format: "jwk" }), use: "sig", alg: "EdDSA" };
  const signatureAt = (seconds: string) =>
    sign(null, Buffer.from(`${id}.${seconds}.${body}`), pair.privateKey).toString("base64");

  test.skipIf(isMissing("openssl", starts("openssl", "version")))("verifies in the shell sample", () => {
    writeFileSync(join(folder, "body.json"), body);
    const code = samples.find(
      ({ heading, code }) => heading === "Verify with a public key" && code.includes("openssl"),
    )?.code;
    const TIMESTAMP = headers["webhook-timestamp"] ?? "";
    const variables = { ID: id, TIMESTAMP, PUBLIC_KEY: key.x ?? "" };
    const run = (SIGNATURE: string) => runWithoutNetwork(code ?? "", { ...variables, SIGNATURE }, folder);
    expect(run(signatureAt(TIMESTAMP)).printed).toContain("Signature Verified Successfully");
    expect(() => run(signatureAt("1"))).toThrow("Command failed");
  });

  test("verifies in the sample with the SDK", async () => {
    const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [key] })));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    vi.stubEnv("PARLEY_PUBLIC_KEYS_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const [load = "", , source = "", ...rest] = sampleOf({
      heading: "Verify with a public key",
      language: "js",
    })
      .trim()
      .split("\n");
    const receive = ["export async function verify(rawBody, headers) {", ...rest, "return { event };", "}"];
    const file = join(folder, "public-key.mjs");
    writeFileSync(file, [load, source, ...receive].join("\n"));
    const { verify } = (await import(pathToFileURL(file).href)) as {
      verify: (rawBody: string, headers: object) => Promise<{ event: unknown }>;
    };
    const seconds = String(Math.floor(Date.now() / 1000));
    const fresh = {
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,x v1a,${signatureAt(seconds)}`,
    };
    expect((await verify(body, fresh)).event).toEqual(JSON.parse(body));
    await expect(verify(body.replace("Ada", "Eve"), fresh)).rejects.toMatchObject({
      code: "signature_mismatch",
    });
  });
});

describe("a Standard Webhooks library", () => {
  const code = sampleOf({ heading: "Use a Standard Webhooks library", language: "js" });

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
