import { expect, test } from "vitest";
import { ApiError } from "../../../http/api-error.ts";
import { formTargets } from "./consent-page.ts";
import { errorPage } from "./error-page.ts";
import { html } from "./html.ts";
import { signInPage } from "./sign-in-page.ts";

const evil = `"><script>alert('1')</script>&`;
const harmless = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";

test("escapes values, nests Html, joins lists, omits false and undefined", () => {
  const list = [html`<li>${evil}</li>`, html`<li>${2}</li>`];
  expect(html`<ul title="${evil}">${list}</ul>${false}${undefined}`.text).toBe(
    `<ul title="${harmless}"><li>${harmless}</li><li>2</li></ul>`,
  );
});

test("pages show untrusted text as text", () => {
  const error = new ApiError(400, "invalid_request", evil);
  for (const page of [signInPage(evil, "token", evil), errorPage(error, evil, evil)]) {
    expect(page.content.text).not.toContain("<script>");
    expect(page.content.text).toContain(harmless);
  }
});

test.each([
  ["https://app.example.com/callback?x=1", ["https:"]],
  ["http://127.0.0.1:5000/callback", ["https:", "http:"]],
  ["com.example.app:/callback", ["https:", "com.example.app:"]],
])("formTargets allows redirects to %s", (uri, targets) => expect(formTargets(uri)).toEqual(targets));
