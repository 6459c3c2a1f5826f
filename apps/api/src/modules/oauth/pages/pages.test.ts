import { render } from "@parley/ui";
import { expect, test } from "vitest";
import { ApiError } from "../../../http/api-error.ts";
import { formTargets } from "./consent-page.ts";
import { errorMessage, messagePage } from "./error-page.ts";
import { signInPage } from "./sign-in-page.ts";

const evil = `"><script>alert('1')</script>&`;
const harmless = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";

test("pages show untrusted text as text", async () => {
  const error = new ApiError(400, "invalid_request", evil);
  for (const page of [signInPage(evil, evil, evil), messagePage(errorMessage(error, evil, evil))]) {
    const content = await render(page.content);
    expect(content).not.toContain("<script>");
    expect(content.split(harmless)).toHaveLength(4);
  }
});

test.each([
  ["https://app.example.com/callback?x=1", ["https:"]],
  ["http://127.0.0.1:5000/callback", ["https:", "http:"]],
  ["com.example.app:/callback", ["https:", "com.example.app:"]],
])("formTargets allows redirects to %s", (uri, targets) => expect(formTargets(uri)).toEqual(targets));
