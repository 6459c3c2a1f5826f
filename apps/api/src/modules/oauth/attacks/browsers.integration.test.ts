import { createHook } from "node:async_hooks";
import { hashPassword } from "@parley/database";
import { dummyPasswordHash } from "../sessions/sign-in.ts";
import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import type { TestBrowser as Browser } from "../testing/browser.ts";
import { TestBrowser } from "../testing/browser.ts";
import {
  locationOf,
  type OAuthFixture,
  password,
  redirectUri,
  register,
  signIn,
} from "../testing/fixture.ts";

const script = `"><script>alert('1')</script><b onload=x>`;
const session = (browser: Browser) => browser.cookies.get("parley_session") ?? "";

/** Returns `text` if the page contains the script only as text. */
async function shownAs(page: Response | Promise<Response>): Promise<string> {
  const html = await (await page).text();
  if (!html.includes("&lt;script&gt;")) return "not shown";
  return html.includes("<script") || html.includes("<b onload") ? "markup" : "text";
}

/** Returns a page of every kind. */
async function allPages(fixture: OAuthFixture): Promise<Response[]> {
  const visitor = new TestBrowser(fixture.fetch);
  const user = await fixture.signedIn();
  const own = { client_id: "foreign-app", redirect_uri: "https://foreign.example.com/" };
  const { id } = await fixture.db.organization.create({ data: { name: "Foreign" } });
  await register(fixture.db, own, [own.redirect_uri], { organizationId: id });
  return [
    await visitor.get(fixture.page()),
    await user.get(fixture.page()),
    await user.get(fixture.page({ client_id: "nobody" })),
    await user.get(fixture.page(own)),
    await user.post(fixture.page(), { csrf_token: "x", action: "allow" }),
  ];
}

const attacks: Attack[] = [
  [
    "CSRF: another site sends the consent form without the token, or with that of another browser",
    "400 page, no grant",
    async (fixture) => {
      const before = await fixture.db.oAuthGrant.count();
      const [victim, attacker] = [await fixture.signedIn(), await fixture.signedIn()];
      const tokens = [await attacker.csrfToken(fixture.page()), "", "x", "A".repeat(43)];
      const responses = tokens.map((csrf_token) =>
        victim.post(fixture.page(), { csrf_token, action: "allow" }),
      );
      const same = (await outcomes(responses)) === "400 page";
      return `${same ? "400 page" : "other"}, ${(await fixture.db.oAuthGrant.count()) === before ? "no" : "a"} grant`;
    },
  ],
  [
    "CSRF: the browser is sent to the page with the button in the query",
    "200 page, no grant",
    async (fixture) => {
      const before = await fixture.db.oAuthGrant.count();
      const victim = await fixture.signedIn();
      const csrf_token = await victim.csrfToken(fixture.page());
      const response = await outcome(
        await victim.get(`${fixture.page()}&action=allow&csrf_token=${csrf_token}`),
      );
      return `${response}, ${(await fixture.db.oAuthGrant.count()) === before ? "no" : "a"} grant`;
    },
  ],
  [
    "CSRF: the victim is signed in as the attacker without noticing",
    "400 page",
    async (fixture) => {
      const [victim, attacker] = [new TestBrowser(fixture.fetch), new TestBrowser(fixture.fetch)];
      await victim.get(fixture.page());
      const csrf_token = await attacker.csrfToken(fixture.page());
      const fields = { csrf_token, action: "sign_in", email: fixture.email, password };
      return outcome(await victim.post(fixture.page(), fields));
    },
  ],
  [
    "CSRF: the form is sent as JSON or as plain text",
    "415 page",
    async (fixture) =>
      outcomes(
        ["application/json", "text/plain"].map((type) =>
          fixture.fetch(fixture.page(), { method: "POST", headers: { "content-type": type }, body: "{}" }),
        ),
      ),
  ],
  [
    "CSRF: the session cookie is not sent with forms of other sites, and scripts cannot read it",
    "HttpOnly, SameSite=Lax",
    async (fixture) => {
      const [cookie = ""] = (await fixture.fetch(fixture.page())).headers.getSetCookie();
      return ["HttpOnly", "SameSite=Lax"].filter((part) => cookie.includes(part)).join(", ");
    },
  ],
  [
    "clickjacking, content sniffing, leaks by Referer or by a cache: the headers of every page",
    "5 pages, all safe",
    async (fixture) => {
      const pages = await allPages(fixture);
      const safe = pages.filter(
        ({ headers }) =>
          headers.get("x-frame-options") === "DENY" &&
          headers.get("content-security-policy")?.includes("frame-ancestors 'none'") &&
          headers.get("content-security-policy")?.startsWith("default-src 'none'; style-src 'sha256-") &&
          headers.get("x-content-type-options") === "nosniff" &&
          headers.get("referrer-policy") === "same-origin" &&
          headers.get("cache-control") === "no-store" &&
          headers.get("access-control-allow-origin") === null,
      );
      return `${pages.length} pages, ${safe.length === pages.length ? "all safe" : "not all safe"}`;
    },
  ],
  [
    "session fixation: a planted session cookie is replaced at sign-in",
    "the planted session is signed out",
    async (fixture) => {
      const [attacker, victim] = [new TestBrowser(fixture.fetch), new TestBrowser(fixture.fetch)];
      await attacker.get(fixture.page());
      victim.cookies.set("parley_session", session(attacker));
      await victim.press("sign_in", fixture.page(), { email: fixture.email, password });
      const seen = await (await attacker.get(fixture.page())).text();
      return session(victim) !== session(attacker) && seen.includes("<h1>Sign in</h1>")
        ? "the planted session is signed out"
        : "the attacker is signed in";
    },
  ],
  [
    "session fixation: a cookie that the server did not issue is replaced",
    "replaced",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      browser.cookies.set("parley_session", "planted");
      await browser.get(fixture.page());
      return /^[\w-]{43}$/.test(session(browser)) ? "replaced" : session(browser);
    },
  ],
  [
    "a form rendered before sign-in is sent after it",
    "400 page",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      const csrf_token = await browser.csrfToken(fixture.page());
      await browser.press("sign_in", fixture.page(), { email: fixture.email, password });
      return outcome(await browser.post(fixture.page(), { csrf_token, action: "allow" }));
    },
  ],
  [
    "the consent form is sent to the page of another request: the request in the page's address counts",
    "tickets:read",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const csrf_token = await browser.csrfToken(fixture.page({ scope: "leads:read" }));
      const fields = { csrf_token, action: "allow", scope: "leads:write", client_id: "second-client" };
      const response = await browser.post(fixture.page({ scope: "tickets:read" }), fields);
      const code = locationOf(response).searchParams.get("code") ?? "";
      return ((await (await fixture.exchange(code)).json()) as { scope: string }).scope;
    },
  ],
  [
    "user enumeration by text: unknown email and wrong password",
    "the same page",
    async (fixture) => {
      const pages = [];
      for (const email of [fixture.email, "nobody@example.com"]) {
        const browser = new TestBrowser(fixture.fetch);
        const response = await browser.press("sign_in", fixture.page(), { email, password: "wrong" });
        const text = await (await browser.get(fixture.page())).text();
        pages.push(`${response.status} ${text.replaceAll(email, "").replace(/value="[\w-]{43}"/, "")}`);
      }
      return pages[0] === pages[1] && pages[0]?.includes("Email or password is wrong.")
        ? "the same page"
        : "another page";
    },
  ],
  [
    "user enumeration by timing: the password is also checked for an unknown email, at the cost of a user's password",
    "1 check, 1 check, the same cost",
    async (fixture) => {
      const checks = [];
      for (const email of [fixture.email, "nobody-at-all@example.com"]) {
        const browser = new TestBrowser(fixture.fetch);
        const csrf_token = await browser.csrfToken(fixture.page());
        const jobs = countScryptJobs();
        await browser.post(fixture.page(), { csrf_token, action: "sign_in", email, password: "wrong" });
        checks.push(`${jobs.stop()} check`);
      }
      const costOf = (hash: string) => hash.split("$").slice(0, 4).join();
      const isSame = costOf(await dummyPasswordHash) === costOf(await hashPassword(password));
      return `${checks.join(", ")}, ${isSame ? "the same" : "another"} cost`;
    },
  ],
  [
    "brute force of a password: after ten failures the correct password is refused too, and the page shows the waiting time",
    "10 times 303 here, then 429 page",
    async (fixture) => {
      const email = "brute-forced@example.com"; // Unknown emails are throttled in the same way, so that a limit reveals nothing.
      const browser = new TestBrowser(fixture.fetch);
      const responses = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const fields = { email, password: `guess ${guess}` };
        responses.push(await outcome(await browser.press("sign_in", fixture.page(), fields)));
      }
      const last = responses.pop();
      return `${responses.length} times ${[...new Set(responses)].join()}, then ${last}`;
    },
  ],
  [
    "HTML in the typed email",
    "text",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      await browser.press("sign_in", fixture.page(), { email: script, password: "x" });
      return shownAs(browser.get(fixture.page()));
    },
  ],
  [
    "HTML in the cookie with the typed email",
    "text",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      browser.cookies.set("parley_failed_sign_in", Buffer.from(script).toString("base64url"));
      return shownAs(browser.get(fixture.page()));
    },
  ],
  [
    "HTML in the names of app, organization and user, on each page that shows them",
    "text, text, text",
    async (fixture) => {
      const evil = { client_id: "evil-app", redirect_uri: "https://evil.example.com/" };
      const { users, id } = await fixture.db.organization.create({
        data: {
          name: script,
          users: { create: { email: "evil@example.com", name: script, passwordHash: await hashOf(fixture) } },
        },
        include: { users: true },
      });
      await register(fixture.db, evil, [evil.redirect_uri]);
      await fixture.db.oAuthClient.update({ where: { id: evil.client_id }, data: { name: script } });
      const user = await signIn(fixture, users[0]?.email ?? "", fixture.page(evil));
      const signInPage = await shownAs(new TestBrowser(fixture.fetch).get(fixture.page(evil)));
      const consent = await shownAs(user.get(fixture.page(evil)));
      const other = await fixture.db.organization.create({ data: { name: "Other" } });
      await fixture.db.oAuthClient.update({
        where: { id: evil.client_id },
        data: { organizationId: other.id },
      });
      const foreign = await shownAs(user.get(fixture.page(evil)));
      await fixture.db.organization.delete({ where: { id } });
      return [signInPage, consent, foreign].join(", ");
    },
  ],
  [
    "HTML in the redirect URI, which the page shows",
    "not shown",
    async (fixture) => {
      const uri = "http://127.0.0.1:4000/callback";
      const browser = await fixture.signedIn();
      return shownAs(browser.get(fixture.page({ redirect_uri: uri, state: script, code_challenge: script })));
    },
  ],
  [
    "HTML in parameters that an error page or a redirect contains",
    "not shown, 302 app.example.com invalid_scope",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const page = await shownAs(browser.get(fixture.page({ client_id: script, redirect_uri: script })));
      return `${page}, ${await outcome(await browser.get(fixture.page({ scope: script })))}`;
    },
  ],
  [
    "HTML in the query that the error page links back to",
    "text of the address only",
    async (fixture) => {
      const browser = await fixture.signedIn();
      const page = `${fixture.page()}&x="><script>alert(1)</script>`;
      const html = await (await browser.post(page, { csrf_token: "x", action: "allow" })).text();
      return html.includes("<script") ? "markup" : "text of the address only";
    },
  ],
  [
    "SQL in every field of the sign-in form",
    "303 here, no one signed in",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      const sql = "' OR '1'='1'; DROP TABLE users; --";
      const response = await outcome(
        await browser.press("sign_in", fixture.page(), { email: sql, password: sql }),
      );
      const page = await (await browser.get(fixture.page())).text();
      return `${response}, ${page.includes("Allow") ? "someone" : "no one"} signed in`;
    },
  ],
  [
    "oversized fields of the form",
    "400 page",
    async (fixture) => {
      const browser = new TestBrowser(fixture.fetch);
      return outcomes([
        browser.press("sign_in", fixture.page(), { email: "x".repeat(255), password }),
        browser.press("sign_in", fixture.page(), { email: fixture.email, password: "x".repeat(1025) }),
        browser.press("sign_in", fixture.page(), { csrf_token: "x".repeat(10_000) }),
      ]);
    },
  ],
  [
    "NUL and unpaired surrogates in the form and in the query",
    "400 page",
    async (fixture) => {
      const browser = await fixture.signedIn();
      return outcomes([
        browser.press("sign_in", fixture.page(), { email: "a\0b", password: "x" }),
        browser.get(fixture.page({ state: "a\0b" })),
        browser.get(fixture.page({ redirect_uri: `${redirectUri}\0` })),
      ]);
    },
  ],
];

/** Counts the computations of password hashes until it is stopped. */
function countScryptJobs(): { stop(): number } {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") count += 1;
    },
  }).enable();
  return {
    stop() {
      hook.disable();
      return count;
    },
  };
}

/** Returns the password hash of the fixture's user, so that the test does not compute another. */
async function hashOf({ db, userId }: OAuthFixture): Promise<string> {
  return (await db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash;
}

testAttacks(attacks);
