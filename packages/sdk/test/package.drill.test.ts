import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { freePort } from "@parley/testing/free-port";
import { startProgram } from "@parley/testing/program";
import { publint } from "publint";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { signWebhook } from "../src/webhooks/index.ts";
import { type InstalledPackage, installPackage } from "./support/package.ts";
import { dataResponse, leadPageResponse } from "./support/responses.ts";
import { startTestServer } from "./support/server.ts";

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
}, 60_000);

afterAll(() => installed?.remove());

test("has the license of the repository and a README of at most 100 lines", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  expect(read("LICENSE")).toBe(read("../../LICENSE"));
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(100);
});

test("imports only openapi-fetch, and nothing from Node.js", () => {
  const specifiers = installed.files
    .filter((file) => file.startsWith("dist/"))
    .map((file) => readFileSync(join(installed.project, "node_modules/@parley/sdk", file), "utf8"))
    .flatMap((code) =>
      [...code.matchAll(/\b(?:from|import\() ?"([^".][^"]*)"/g)].map(([, specifier]) => specifier),
    );
  expect(new Set(specifiers)).toEqual(new Set(["openapi-fetch"]));
});

test("passes publint", async () => {
  const { messages } = await publint({
    pkgDir: join(installed.project, "node_modules/@parley/sdk"),
    strict: true,
  });
  expect(messages).toEqual([]);
});

test("has types that resolve for ES modules", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(installed.tarball)));
  if (!analysis.types) throw new Error("No types");
  // The package is ESM only. Resolution modes without `exports` or `require` of ESM are not supported.
  const others = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem && /^node(10|16-cjs)$/.test(problem.resolutionKind)),
  );
  expect(others).toEqual([]);
  expect(Object.keys(analysis.entrypoints)).toHaveLength(9);
});

test("has a README example that lists, subscribes, receives and rejects", async () => {
  const example = /```js\n(.*?)```/s.exec(
    readFileSync(join(installed.project, "node_modules/@parley/sdk/README.md"), "utf8"),
  )?.[1];
  writeFileSync(join(installed.project, "example.mjs"), example ?? "");
  const { baseUrl, received } = await startTestServer(({ method, url }) =>
    method === "POST"
      ? { ...dataResponse({ id: "w", secret: "parley_ws_1" }), status: 201 }
      : leadPageResponse(url, 130),
  );
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    PARLEY_URL: baseUrl,
    PARLEY_TOKEN: "parley_at_0",
    HOOK_URL: "https://hook.example.com",
    PORT: `${port}`,
  };
  const program = startProgram([process.execPath, "example.mjs"], { cwd: installed.project, env });
  onTestFinished(program.kill);
  await program.output(/waiting for events/);
  expect(program.text().match(/^lead ada@example.com 40$/gm)).toHaveLength(130);
  expect(received.at(-1)?.body).toEqual({ target_url: env.HOOK_URL, event_types: ["lead.created"] });

  const payload = JSON.stringify({
    type: "lead.created",
    data: { attributes: { contact: { email: "grace@example.com" } } },
  });
  const deliver = async (secret: string) => {
    const headers = await signWebhook({ payload, secret });
    return (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: payload, headers })).status;
  };
  expect(await deliver("parley_ws_other")).toBe(400);
  expect(await deliver("parley_ws_1")).toBe(204);
  await program.output(/new lead grace@example\.com/);
});
