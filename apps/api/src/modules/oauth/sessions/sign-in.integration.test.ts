import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi } from "../../../testing/api-server.ts";
import { TestBrowser } from "../testing/browser.ts";
import {
  createUser,
  locationOf,
  type OAuthFixture,
  password,
  startOAuthFixture,
} from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const browser = () => new TestBrowser(fixture.fetch);
const sessionOf = (visitor: TestBrowser) => visitor.cookies.get("parley_session") ?? "";

describe("a failed sign-in", () => {
  test("shows the same message for an unknown email and a wrong password, once", async () => {
    const visitor = browser();
    const texts = [];
    for (const email of [fixture.email, "nobody@example.com"]) {
      const response = await visitor.press("sign_in", fixture.page(), { email, password: "wrong" });
      expect(response.status).toBe(303);
      const page = await (await visitor.get(fixture.page())).text();
      expect(page).toContain("Email or password is wrong.");
      expect(page).toContain(`value="${email}"`);
      texts.push(page.replaceAll(email, ""));
    }
    expect(texts[0]).toBe(texts[1]);
    expect(await (await visitor.get(fixture.page())).text()).not.toContain("wrong");
  });

  test("is shown by GET and not consumed by HEAD", async () => {
    const visitor = browser();
    await visitor.press("sign_in", fixture.page(), { email: fixture.email, password: "wrong" });
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const ahead = await fetch(fixture.page(), { method: "HEAD", headers: { cookie } });
    expect([ahead.status, ahead.headers.getSetCookie()]).toEqual([200, []]);
    expect(await (await visitor.get(fixture.page())).text()).toContain("Email or password is wrong.");
    expect(await (await visitor.get(fixture.page())).text()).not.toContain("Email or password is wrong.");
  });

  test("starts no session", async () => {
    const visitor = browser();
    await visitor.press("sign_in", fixture.page(), { email: fixture.email, password: "" });
    expect(await (await visitor.get(fixture.page())).text()).toContain("<h1>Sign in</h1>");
  });

  test("is throttled: after ten failures the correct password is refused too", async () => {
    const { email } = await createUser(fixture.db);
    const visitor = browser();
    const tries = Array.from({ length: 12 }, () =>
      visitor.press("sign_in", fixture.page(), { email, password: "wrong" }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(10);

    const response = await visitor.press("sign_in", fixture.page(), { email, password });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await response.text()).toContain("Try again in 15 minutes.");
    const other = await browser().press("sign_in", fixture.page(), { email: fixture.email, password });
    expect(other.status).toBe(303);
  });
});

describe("the session", () => {
  test("gets a new secret at sign-in, in an HttpOnly cookie", async () => {
    const visitor = browser();
    await visitor.get(fixture.page());
    const before = sessionOf(visitor);
    const response = await visitor.press("sign_in", fixture.page(), { email: fixture.email, password });
    expect(response.headers.getSetCookie().join()).toMatch(
      /parley_session=.+Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax/,
    );
    expect(sessionOf(visitor)).not.toBe(before);
    expect(await (await visitor.get(fixture.page())).text()).toContain("Allow");
    visitor.cookies.set("parley_session", before);
    expect(await (await visitor.get(fixture.page())).text()).toContain("<h1>Sign in</h1>");
  });

  test("lasts eight hours and is stored as a hash", async () => {
    const visitor = await fixture.signedIn();
    const tokenHash = new Uint8Array(createHash("sha256").update(sessionOf(visitor)).digest());
    const session = await fixture.db.userSession.findUniqueOrThrow({ where: { tokenHash } });
    expect(session.expiresAt.getTime() - session.createdAt.getTime()).toBe(8 * 3_600_000);
    await fixture.db.userSession.update({ where: { tokenHash }, data: { expiresAt: new Date() } });
    expect(await (await visitor.get(fixture.page())).text()).toContain("<h1>Sign in</h1>");
  });

  test("redirects to the sign-in page if it ended after the page was rendered", async () => {
    const visitor = await fixture.signedIn();
    const page = await (await visitor.get(fixture.page())).text();
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    await fixture.db.userSession.deleteMany({});
    const response = await visitor.post(fixture.page(), { csrf_token, action: "allow" });
    expect(response.status).toBe(303);
    expect(locationOf(response).href).toBe(fixture.page());
  });

  test("ends when the user signs out", async () => {
    const visitor = await fixture.signedIn();
    const secret = sessionOf(visitor);
    const response = await visitor.press("sign_out", fixture.page());
    expect(locationOf(response).href).toBe(fixture.page());
    expect(visitor.cookies.has("parley_session")).toBe(false);
    visitor.cookies.set("parley_session", secret);
    expect(await (await visitor.get(fixture.page())).text()).toContain("<h1>Sign in</h1>");
  });

  test("has a __Host- cookie if the server is public", async () => {
    const api = await startApi({ PUBLIC_URL: "https://parley.example.com/" });
    await api.db.oAuthClient.create({
      data: { id: "c", name: "C", redirectUris: ["https://c.example.com/"] },
    });
    const query = "client_id=c&redirect_uri=https://c.example.com/&response_type=code&scope=leads:read";
    const response = await api.fetch(`${api.url}/api/oauth/authorize?${query}`);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-parley_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    await api.close();
  });
});

describe("a form", () => {
  test.each(["sign_in", "allow", "deny", "sign_out"])(
    "to %s with another browser's token is rejected",
    async (action) => {
      const [victim, attacker] = [await fixture.signedIn(), browser()];
      const page = await (await attacker.get(fixture.page())).text();
      const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
      const response = await victim.post(fixture.page(), {
        csrf_token,
        action,
        email: fixture.email,
        password,
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Back to the page");
      expect(await (await victim.get(fixture.page())).text()).toContain("Allow");
    },
  );

  test("without cookie or token, with an unknown action or a huge field is rejected with an explanation", async () => {
    const visitor = await fixture.signedIn();
    for (const fields of [
      { action: "allow" },
      { csrf_token: "", action: "allow" },
      { csrf_token: "x", action: "x" },
    ]) {
      expect((await visitor.post(fixture.page(), fields as Record<string, string>)).status).toBe(400);
    }
    expect((await browser().post(fixture.page(), { csrf_token: "x", action: "allow" })).status).toBe(400);
    const huge = await visitor.press("sign_in", fixture.page(), { email: "x".repeat(255), password });
    expect(huge.status).toBe(400);
  });

  test("of another content type is rejected with 415", async () => {
    const request = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await fixture.fetch(fixture.page(), request)).status).toBe(415);
  });

  test("with an invalid authorization request gets the same error as the page, after the CSRF check", async () => {
    const visitor = await fixture.signedIn();
    const page = await (await visitor.get(fixture.page())).text();
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const fields = { csrf_token, action: "allow" };
    expect((await visitor.post(fixture.page({ client_id: "nobody" }), fields)).status).toBe(400);
    const wrong = fixture.page({ scope: "cats:pet" });
    expect((await visitor.post(wrong, { ...fields, csrf_token: "x" })).status).toBe(400);
    const response = await visitor.post(wrong, fields);
    expect(response.status).toBe(303);
    expect(locationOf(response).searchParams.get("error")).toBe("invalid_scope");
  });
});
