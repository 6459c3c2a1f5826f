/** Runs the samples of the chapter about verification, unchanged. */
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sampleOf } from "../src/testing/chapters.ts";
import { body, headers, secret } from "./deliveries.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-verify-"));
symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

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
