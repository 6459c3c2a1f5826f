/** Runs the samples of the guide about signatures that need no server, unchanged. */
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { events } from "@parley/contract/events";
import { verifyWebhook } from "@parley/sdk/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testVectors } from "../src/site/test-vectors.ts";
import { sampleOf, samples } from "../src/testing/chapters.ts";
import { body, headers, secret } from "./deliveries.ts";
import { runWithoutNetwork } from "./shell.ts";
import { isMissing, starts } from "./tools.ts";

const chapter = "debug-signature";
const folder = mkdtempSync(join(tmpdir(), "parley-debug-"));
const vectors = testVectors(events.find(({ type }) => type === "lead.created")?.sample ?? {});

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "signature-test-vectors.json"), JSON.stringify(vectors));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the command of the guide that contains a text. */
function command(text: string): string {
  const found = samples.filter(
    (sample) => sample.chapter === chapter && sample.language === "sh" && sample.code.includes(text),
  );
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

/** Runs a command; returns the lines that it prints. */
function run(code: string, variables: Record<string, string> = {}): string[] {
  return runWithoutNetwork(code, variables, folder).printed.trimEnd().split("\n");
}

test("the error in the guide is the error of the SDK for the delivery of the reference, cut off", async () => {
  const now = () => Number(headers["X-Parley-Timestamp"]) * 1000;
  const wrong = { payload: body.slice(0, 512), headers, secret, now };
  const error = (await verifyWebhook(wrong).catch((reason: unknown) => reason)) as Error;
  expect(sampleOf({ chapter, language: "text" }).trim()).toBe(error.message);
});

test("the program with the test vectors reports no difference for the SDK", () => {
  writeFileSync(join(folder, "vectors.mjs"), sampleOf({ chapter, language: "js" }));
  const { stdout, stderr } = spawnSync(process.execPath, ["vectors.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual(vectors.map(({ name }) => `ok    ${name}`));
});

const tools = ["openssl", "jq", "cmp", "od", "shasum", "sha256sum"];
const areMissing = tools.map((tool) =>
  isMissing(tool, starts(tool, tool === "openssl" ? "version" : "--version")),
);

describe.skipIf(areMissing.includes(true))("commands", () => {
  test("compute the signature of the first test vector", () => {
    const [own, expected] = run(command("signed.txt"));
    expect(own).toBe(vectors[0]?.headers["x-parley-signature"]);
    expect(expected).toBe(own);
  });

  test("show the length and the end of a secret", () => {
    const show = command("tail -n 1");
    expect(run(show, { SECRET: secret })[0]?.trim()).toBe("53");
    const [length, end = ""] = run(show, { SECRET: `${secret}\r\n` });
    expect(length?.trim()).toBe("55");
    expect(end.trim()).toMatch(/\\r +\\n$/);
  });

  const sent = JSON.stringify({ type: "lead.created", name: "Grüß", url: "https://example.com/" });
  const changes: [string, string | Buffer, string][] = [
    ["spaces", JSON.stringify(JSON.parse(sent), null, 1), "\\n"],
    ["escapes", sent.replaceAll("/", "\\/").replaceAll("ü", "\\u00fc"), "\\   u   0   0   f   c"],
    ["another charset", Buffer.from(Buffer.from(sent).toString("latin1")), "203 302 274"],
    ["an invalid charset", new TextDecoder().decode(Buffer.from(sent, "latin1")), "357 277 275"],
    ["compression", Buffer.from([0x1f, 0x8b, 8]), "037 213"],
    ["a byte order mark", `\ufeff${sent}`, "357 273 277"],
    ["base64", Buffer.from(sent).toString("base64"), "e   y   J"],
  ];
  test.each(changes)("show the first byte that differs after %s", (_, received, shown) => {
    writeFileSync(join(folder, "sent.json"), sent);
    writeFileSync(join(folder, "received.json"), received);
    const compared = spawnSync("sh", ["-euc", command("cmp ")], { cwd: folder, encoding: "utf8" });
    expect(compared.status).toBe(1);
    const [, byte = ""] = /(\d+), line/.exec(compared.stdout) ?? [];
    const lines = run(command("BYTE=1").replace("BYTE=1", `BYTE=${byte}`));
    expect(lines).toEqual([expect.any(String), expect.stringContaining(shown)]);
  });

  test("cmp reports nothing for equal files, and the end of the shorter file after a newline", () => {
    writeFileSync(join(folder, "sent.json"), sent);
    writeFileSync(join(folder, "received.json"), sent);
    expect(run(command("cmp "))).toEqual([""]);
    writeFileSync(join(folder, "received.json"), `${sent}\n`);
    const { status, stderr } = spawnSync("sh", ["-euc", command("cmp ")], { cwd: folder, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("EOF on sent.json")]);
  });

  test("sign a request to a receiver with the current time", () => {
    writeFileSync(join(folder, "sent.json"), sent);
    const { calls } = runWithoutNetwork(command("localhost:3000"), { SECRET: secret }, folder);
    const call = calls[0] ?? [];
    const header = (name: string) => call.find((each) => each.startsWith(`${name}: `))?.split(": ")[1] ?? "";
    const timestamp = header("X-Parley-Timestamp");
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const digest = createHmac("sha256", secret).update(`${timestamp}.${sent}`).digest("hex");
    expect(header("X-Parley-Signature")).toBe(`sha256=${digest}`);
    expect(call).toContain("@sent.json");
    expect(readFileSync(join(folder, "sent.json"), "utf8")).toBe(sent);
  });
});
