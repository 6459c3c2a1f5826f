import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signWebhook } from "./index.ts";

const secret = "parley_ws_3f9Qk2Lw8Zr7Tn5Yb1Xc6Vd4";
const timestamp = 1772359200;
const bodies = [
  ["text", '{"type":"lead.created"}'],
  ["emoji", '{"text":"Grüß dich 👋🏽"}'],
  ["bytes that are no UTF-8", new Uint8Array([0xff, 0x00, 0xc3, 0x28])],
  ["nothing", ""],
] as const;

const openssl = spawnSync("openssl", ["version"]).status === 0;

describe.each(bodies)("a body of %s", (_, payload) => {
  test("as node:crypto signs it", async () => {
    const hex = createHmac("sha256", secret).update(`${timestamp}.`).update(payload).digest("hex");
    expect(await signWebhook({ payload, secret, timestamp })).toEqual({
      "x-parley-signature": `sha256=${hex}`,
      "x-parley-timestamp": `${timestamp}`,
    });
  });

  test.skipIf(!openssl)("as openssl signs it (skipped without openssl)", async () => {
    const input = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(payload)]);
    const output = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input, encoding: "utf8" });
    const { "x-parley-signature": signature } = await signWebhook({ payload, secret, timestamp });
    expect(output.trim()).toMatch(new RegExp(`= ${signature.slice("sha256=".length)}$`));
  });
});

test("the timestamp is now, where none is passed", async () => {
  const before = Math.floor(Date.now() / 1000);
  const { "x-parley-timestamp": signedAt } = await signWebhook({ payload: "", secret });
  expect(Number(signedAt)).toBeGreaterThanOrEqual(before);
  expect(Number(signedAt)).toBeLessThanOrEqual(Date.now() / 1000);
});
