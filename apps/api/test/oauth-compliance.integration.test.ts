import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@parley/config";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { trustedProxies, warnOfUntrustedProxy } from "../src/http/forwarded.ts";
import { startApi } from "../src/testing/api-server.ts";

const root = join(import.meta.dirname, "../../..");
/** Rows of the tables, each with the RFC of its table. */
const rows = readFileSync(join(root, "docs/oauth-compliance.md"), "utf8")
  .split(/^## /m)
  .flatMap((chapter) => {
    const rfc = /^RFC \d{4}/.exec(chapter)?.[0];
    return chapter
      .split("\n")
      .filter((line) => rfc && line.startsWith("| ") && !/^\| (Requirement|---)/.test(line))
      .map((line) => {
        const cells = line.slice(1, -1).split(" | ");
        return [rfc ?? "", ...cells.map((cell) => cell.trim())];
      });
  });

/** Paths without a top-level folder are relative to the OAuth module. */
const pathOf = (file: string) =>
  join(root, /^(apps|openapi|packages)\//.test(file) ? "" : "apps/api/src/modules/oauth", file);

describe("docs/oauth-compliance.md", () => {
  test("has a row for each of many requirements", () => expect(rows.length).toBeGreaterThan(70));

  test.each(rows)("%s: %s (%s)", (rfc, requirement, section, metIn, shownBy, ...rest) => {
    expect(rest).toEqual([]);
    for (const cell of [requirement, section, metIn, shownBy]) expect(cell).toMatch(/\S/);
    const source = /`([^`]+)`/.exec(metIn ?? "")?.[1] ?? "nowhere";
    expect(readFileSync(pathOf(source), "utf8")).toContain(rfc);
    // A run of the file fails if no test with the title passes: .config/compliance-reporter.ts.
    const [, file = ""] = /^`([^`]+\.test\.ts)`: ./.exec(shownBy ?? "") ?? [];
    expect(existsSync(pathOf(file))).toBe(true);
  });
});

/**
 * RFC 9700 section 4.13: each proxy appends the address that it sees, so addresses before the last trusted one are claims of the
 * sender, who could choose the throttled address.
 */
describe("X-Forwarded-For is trusted only behind a proxy", () => {
  test.each([
    ["false", "192.0.2.*", 429],
    ["true", "192.0.2.*", 401],
    ["true", "192.0.2.*, 198.51.100.7", 429],
    ["2", "192.0.2.*, 198.51.100.7", 401],
    ["2", "192.0.2.*, 198.51.100.7, 10.0.0.1", 429],
    ["127.0.0.1, 10.0.0.0/8", "192.0.2.*, 10.0.0.1", 401],
    ["127.0.0.1, 10.0.0.0/8", "192.0.2.*, 198.51.100.7, 10.0.0.1", 429],
    ["10.0.0.1", "192.0.2.*", 429], // the connection is not that proxy's
  ])(
    "TRUST_PROXY=%s: the eleventh failure of another address, sent as %s, gets %i",
    async (trust, forwarded, status) => {
      const api = await startApi({ TRUST_PROXY: trust });
      const fields = { grant_type: "refresh_token", refresh_token: "x", client_id: "guessed" };
      const statuses = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const headers = { "x-forwarded-for": forwarded.replace("*", String(guess)) };
        const body = new URLSearchParams({ ...fields, client_secret: `guess ${guess}` });
        statuses.push(
          (await api.fetch(`${api.url}/api/oauth/token`, { method: "POST", headers, body })).status,
        );
      }
      await api.close();
      expect(statuses.at(-1)).toBe(status);
    },
  );

  test.each(["everybody", "0.0.0.0/0", "10.0.0.1, ", "-1", "10"])("TRUST_PROXY=%s is rejected", (trust) => {
    expect(() => readConfig(z.object({ TRUST_PROXY: trustedProxies }), { TRUST_PROXY: trust })).toThrow(
      "TRUST_PROXY must be true, false, a number of proxies",
    );
  });

  test.each([
    [false, 1],
    [["127.0.0.1"], 0],
  ])("with TRUST_PROXY %o, the log warns about the header %i times", async (trusted, times) => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: "warn", stream: { write: (line) => lines.push(line) } } });
    warnOfUntrustedProxy(app, trusted);
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    for (const headers of [{}, { "x-forwarded-for": "192.0.2.1" }, { "x-forwarded-for": "192.0.2.1" }]) {
      await fetch(url, { headers: headers });
    }
    await app.close();
    expect(lines.filter((line) => line.includes("TRUST_PROXY")).length).toBe(times);
  });
});
