import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createUser,
  locationOf,
  type OAuthFixture,
  redirectUri,
  signIn,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
let email: string;
beforeAll(async () => {
  fixture = await startOAuthFixture();
  const member = await createUser(fixture.db);
  await fixture.db.user.update({ where: { id: member.id }, data: { role: "member" } });
  email = member.email;
});
afterAll(() => fixture.close());

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

test("a member grants what the role allows; the page names the rest, and the token response what was granted", async () => {
  const page = fixture.page({ scope: "leads:read webhooks:manage" });
  const browser = await signIn(fixture, email, page);
  const text = textOf(await (await browser.get(page)).text());
  expect(text).toContain(
    "will be able to: Read qualification leads Only an admin of Umbrella &amp; Sons can allow:",
  );
  expect(text).toContain("can allow: Create and manage webhooks. The app gets no access to this.");
  const code = locationOf(await browser.press("allow", page)).searchParams.get("code") ?? "";
  expect(await (await fixture.exchange(code)).json()).toMatchObject({ scope: "leads:read" });
});

test("a member cannot allow an app that only manages webhooks", async () => {
  const page = fixture.page({ scope: "webhooks:manage" });
  const browser = await signIn(fixture, email, page);
  const html = await (await browser.get(page)).text();
  expect(textOf(html)).toContain("Ask an admin to connect the app.");
  expect(html).not.toContain('value="allow"');
  const location = locationOf(await browser.press("allow", page));
  expect(location.href.startsWith(redirectUri)).toBe(true);
  expect(location.searchParams.get("error")).toBe("access_denied");
});

test("the page says what an app can read with webhooks", async () => {
  const page = fixture.page({ scope: "webhooks:manage" });
  const text = textOf(await (await (await fixture.signedIn()).get(page)).text());
  expect(text).toContain(
    "Create and manage webhooks. Webhooks receive every change, so the app can also: read qualification leads, read chat conversations, read support tickets, read scheduled meetings",
  );
});
