import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signWebhook } from "./index.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const timestamp = 1772359200;
const bodies = [
  ["text", '{"type":"lead.created"}'],
  ["emoji", '{"text":"Grüß dich 👋🏽"}'],
  ["bytes that are not UTF-8", new Uint8Array([0xff, 0x00, 0xc3, 0x28])],
  ["an empty body", ""],
] as const;

const openssl = spawnSync("openssl", ["version"]).status === 0;

describe.each(bodies)("signWebhook with %s", (_, payload) => {
  test("signs like node:crypto", async () => {
    const hex = createHmac("sha256", secret).update(`${timestamp}.`).update(payload).digest("hex");
    expect(await signWebhook({ payload, secret, timestamp })).toEqual({
      "x-parley-signature": `sha256=${hex}`,
      "x-parley-timestamp": `${timestamp}`,
    });
  });

  test.skipIf(!openssl)("signs like openssl (skipped without openssl)", async () => {
    const input = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(payload)]);
    const output = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input, encoding: "utf8" });
    const { "x-parley-signature": signature } = await signWebhook({ payload, secret, timestamp });
    expect(output.trim()).toMatch(new RegExp(`= ${signature.slice("sha256=".length)}$`));
  });
});

test("uses the current time by default", async () => {
  const before = Math.floor(Date.now() / 1000);
  const { "x-parley-timestamp": signedAt } = await signWebhook({ payload: "", secret });
  expect(Number(signedAt)).toBeGreaterThanOrEqual(before);
  expect(Number(signedAt)).toBeLessThanOrEqual(Date.now() / 1000);
});
