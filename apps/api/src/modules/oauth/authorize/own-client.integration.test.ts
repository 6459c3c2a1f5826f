import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestBrowser } from "../testing/browser.ts";
import {
  createUser,
  locationOf,
  type OAuthFixture,
  password,
  register,
  signIn,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
const own = { client_id: "own-app", client_secret: "the-secret-of-own-app" };
const uri = "https://own.example.com/callback";
const page = () => fixture.page({ client_id: own.client_id, redirect_uri: uri });
beforeAll(async () => {
  fixture = await startOAuthFixture();
  await register(fixture.db, own, [uri], { organizationId: fixture.organizationId });
});
afterAll(() => fixture.close());

test("an organization's own app can be authorized by its users, and the page names the organization", async () => {
  const visitor = await fixture.signedIn();
  expect(await (await visitor.get(page())).text()).toContain(
    "This app was registered by Umbrella &amp; Sons.",
  );
  const response = await visitor.press("allow", page());
  expect(locationOf(response).href.startsWith(`${uri}?code=parley_ac_`)).toBe(true);
});

test("users of other organizations see the reason and are never redirected to it", async () => {
  const { email, id } = await createUser(fixture.db);
  const stranger = await signIn(fixture, email, page());
  const shown = await stranger.get(page());
  expect([shown.status, shown.headers.get("location")]).toEqual([403, null]);
  const text = await shown.text();
  expect(text).toContain("not for users of Umbrella &amp; Sons");
  expect(text).not.toContain("Allow");

  for (const action of ["allow", "deny"]) {
    const response = await stranger.press(action, page());
    expect([response.status, response.headers.get("location")]).toEqual([403, null]);
    expect(await response.text()).toContain("is only for users of another organization.");
  }
  expect(await fixture.db.oAuthGrant.count({ where: { userId: id } })).toBe(0);
});

test("a user with the wrong account can switch accounts", async () => {
  const { email } = await createUser(fixture.db);
  const visitor = await signIn(fixture, email, page());
  expect(locationOf(await visitor.press("sign_out", page())).href).toBe(page());
  expect((await visitor.get(page())).status).toBe(200);
});

describe("errors do not redirect browsers to an organization's app before sign-in, RFC 9700 section 4.11.2", () => {
  const withError = () => fixture.page({ client_id: own.client_id, redirect_uri: uri, scope: "cats:pet" });

  test("shows the sign-in page first, then redirects the organization's users", async () => {
    const visitor = new TestBrowser(fixture.fetch);
    const shown = await visitor.get(withError());
    expect([shown.status, shown.headers.get("location")]).toEqual([200, null]);
    expect(await shown.text()).toContain("<h1>Sign in</h1>");

    const signedIn = await visitor.press("sign_in", withError(), { email: fixture.email, password });
    expect(locationOf(signedIn).href).toBe(withError());
    const redirect = locationOf(await visitor.get(withError()));
    expect([redirect.host, redirect.searchParams.get("error")]).toEqual(["own.example.com", "invalid_scope"]);
  });

  test.each(["sign_in", "sign_out", "allow", "deny"])(
    "does not redirect a form without a session: %s",
    async (action) => {
      const response = await new TestBrowser(fixture.fetch).press(action, withError());
      expect([response.status, locationOf(response).href]).toEqual([303, withError()]);
    },
  );

  test("shows another organization's user the reason", async () => {
    const { email } = await createUser(fixture.db);
    const stranger = await signIn(fixture, email, page());
    for (const response of [await stranger.get(withError()), await stranger.press("allow", withError())]) {
      expect([response.status, response.headers.get("location")]).toEqual([403, null]);
    }
  });
});
