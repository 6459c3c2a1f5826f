import { expect } from "vitest";
import { as } from "../../../testing/api-server.ts";
import { issueToken } from "../../../testing/factories.ts";
import type { TestBrowser } from "../../oauth/testing/browser.ts";
import type { ConsoleFixture, Person } from "./console.ts";
import { type Fields, HtmlPage } from "./html-page.ts";

/** Changed fields of a form; null removes a field, as unchecking a box does. */
type Changes = Record<string, string | string[] | null>;

/** Signed-in user who opens pages and submits their forms, and an integration of the same organization. */
export interface Visitor extends Person {
  browser: TestBrowser;
  /** Calls the API with an access token. */
  call: ReturnType<typeof as>;
  /** Returns `data` of a GET of the API. */
  read<Data>(path: string): Promise<Data>;
  /** Opens a page; expects the status, 200 by default. */
  open(path: string, status?: number): Promise<HtmlPage>;
  /** Submits the form of a page that has the button, follows the redirect and returns the next page. */
  submit(page: HtmlPage, action: string, changes?: Changes): Promise<HtmlPage>;
  /** Posts fields that need no form on a page, as an attacker would; with a valid CSRF token. */
  post(path: string, fields: Fields): Promise<Response>;
}

/** Creates a user in a new organization and signs in. */
export async function startVisitor(fixture: ConsoleFixture, role?: "admin" | "member"): Promise<Visitor> {
  const person = await fixture.person(role);
  const browser = await fixture.signIn(person);
  const call = as(fixture, await issueToken(fixture.db, person));
  return { ...person, call, ...visitorOf(fixture, browser, call) };
}

/** Returns the methods of a visitor for a browser with a session. */
export function visitorOf({ url }: Pick<ConsoleFixture, "url">, browser: TestBrowser, call: Visitor["call"]) {
  const visitor: Omit<Visitor, keyof Person | "call"> = {
    browser,
    async read<Data>(path: string) {
      const response = await call("GET", path);
      expect(response.status).toBe(200);
      return ((await response.json()) as { data: Data }).data;
    },
    async open(path, status = 200) {
      const response = await browser.get(url + path);
      const page = new HtmlPage(await response.text(), path, response.status);
      expect([response.status, page.text]).toEqual([status, expect.anything()]);
      return page;
    },
    async submit(page, action, changes = {}) {
      const { address, fields } = page.form(action);
      const all = Object.entries({ ...fields, ...changes }).filter(
        (entry): entry is [string, string | string[]] => entry[1] !== null,
      );
      const target = new URL(address, url + page.address).href;
      const response = await browser.post(target, Object.fromEntries(all));
      expect([response.status, await response.clone().text()]).toEqual([303, ""]);
      return visitor.open(response.headers.get("location") ?? "");
    },
    async post(path, fields) {
      const csrf_token = await browser.csrfToken(`${url}/console`);
      return browser.post(url + path, { csrf_token, ...fields });
    },
  };
  return visitor;
}
