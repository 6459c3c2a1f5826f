import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type TestApi } from "./kit.ts";

const root = join(import.meta.dirname, "../../..");
const rows = readFileSync(join(root, "docs/oauth-compliance.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Requirement|---)/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );

/** Paths that name no folder are the OAuth module's. */
const pathOf = (file: string) =>
  join(root, /^(apps|openapi|packages)\//.test(file) ? "" : "apps/api/src/modules/oauth", file);

/** Titles of tests, of groups of them, and of the rows of `test.each`: strings where vitest looks for one. */
function titlesIn(file: string): string[] {
  const source = readFileSync(pathOf(file), "utf8");
  const titles = source.matchAll(/(?:\b(?:test|describe)\(|\)\(|\[)\s*(["'`])((?:\\.|(?!\1).)*)\1/g);
  return [...titles].map(([, , title = ""]) => title);
}

/** A title may be cut where a clause of it ends. */
function begins(whole: string, title: string): boolean {
  return whole.startsWith(title) && /^(?:$|[,:; (])/.test(whole.slice(title.length));
}

describe("docs/oauth-compliance.md", () => {
  test("has a row for each of many requirements", () => expect(rows.length).toBeGreaterThan(70));

  test.each(rows)("%s (%s)", (requirement, section, metIn, shownBy, ...rest) => {
    expect(rest).toEqual([]);
    for (const cell of [requirement, section, metIn, shownBy]) expect(cell).toBeTruthy();
    expect(existsSync(pathOf(/`([^`]+)`/.exec(metIn ?? "")?.[1] ?? "nowhere"))).toBe(true);
    const [, file = "", title = "nothing"] = /^`([^`]+)`: (.+)$/.exec(shownBy ?? "") ?? [];
    expect(titlesIn(file).filter((whole) => begins(whole, title))).not.toEqual([]);
  });
});

/** RFC 9700 section 4.13: whoever could write the header himself would choose the address that is throttled. */
describe("X-Forwarded-For is believed only behind a proxy", () => {
  let apis: Record<"true" | "false", TestApi>;
  beforeAll(async () => {
    apis = { true: await startApi({ TRUST_PROXY: "true" }), false: await startApi() };
  });
  afterAll(async () => {
    for (const api of Object.values(apis)) await api.close();
  });

  test.each([
    ["true", 401],
    ["false", 429],
  ] as const)(
    "TRUST_PROXY=%s: the eleventh guess from another address is answered with %i",
    async (trust, status) => {
      const { url, fetch } = apis[trust];
      const fields = { grant_type: "refresh_token", refresh_token: "x", client_id: "guessed" };
      const statuses = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const headers = { "x-forwarded-for": `192.0.2.${guess}` };
        const body = new URLSearchParams({ ...fields, client_secret: `guess ${guess}` });
        statuses.push((await fetch(`${url}/api/oauth/token`, { method: "POST", headers, body })).status);
      }
      expect(statuses.at(-1)).toBe(status);
    },
  );
});
