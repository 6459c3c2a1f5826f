import { type Attack, outcome, outcomes, testAttacks } from "../testing/attacks.ts";
import type { TestBrowser as Browser } from "../testing/browser.ts";
import { TestBrowser } from "../testing/browser.ts";
import { locationOf, password, redirectUri, register, type Scene, signIn } from "../testing/fixture.ts";

const script = `"><script>alert('1')</script><b onload=x>`;
const session = (browser: Browser) => browser.cookies.get("parley_session") ?? "";

/** `text` when the page holds the script as text alone. */
async function shownAs(page: Response | Promise<Response>): Promise<string> {
  const html = await (await page).text();
  if (!html.includes("&lt;script&gt;")) return "not shown";
  return html.includes("<script") || html.includes("<b onload") ? "markup" : "text";
}

/** Every kind of page that the server has. */
async function allPages(scene: Scene): Promise<Response[]> {
  const visitor = new TestBrowser(scene.fetch);
  const user = await scene.signedIn();
  const own = { client_id: "foreign-app", redirect_uri: "https://foreign.example.com/" };
  const { id } = await scene.db.organization.create({ data: { name: "Foreign" } });
  await register(scene.db, own, [own.redirect_uri], { organizationId: id });
  return [
    await visitor.get(scene.page()),
    await user.get(scene.page()),
    await user.get(scene.page({ client_id: "nobody" })),
    await user.get(scene.page(own)),
    await user.post(scene.page(), { csrf_token: "x", action: "allow" }),
  ];
}

const attacks: Attack[] = [
  [
    "CSRF: another site sends the consent form without the token, or with one of its own browser",
    "400 page, no grant",
    async (scene) => {
      const before = await scene.db.oAuthGrant.count();
      const [victim, attacker] = [await scene.signedIn(), await scene.signedIn()];
      const tokens = [await attacker.csrfToken(scene.page()), "", "x", "A".repeat(43)];
      const answers = tokens.map((csrf_token) => victim.post(scene.page(), { csrf_token, action: "allow" }));
      const same = (await outcomes(answers)) === "400 page";
      return `${same ? "400 page" : "other"}, ${(await scene.db.oAuthGrant.count()) === before ? "no" : "a"} grant`;
    },
  ],
  [
    "CSRF: the browser is sent to the page with the button in the query",
    "200 page, no grant",
    async (scene) => {
      const before = await scene.db.oAuthGrant.count();
      const victim = await scene.signedIn();
      const csrf_token = await victim.csrfToken(scene.page());
      const answer = await outcome(await victim.get(`${scene.page()}&action=allow&csrf_token=${csrf_token}`));
      return `${answer}, ${(await scene.db.oAuthGrant.count()) === before ? "no" : "a"} grant`;
    },
  ],
  [
    "CSRF: the victim is signed in as the attacker without noticing",
    "400 page",
    async (scene) => {
      const [victim, attacker] = [new TestBrowser(scene.fetch), new TestBrowser(scene.fetch)];
      await victim.get(scene.page());
      const csrf_token = await attacker.csrfToken(scene.page());
      const fields = { csrf_token, action: "sign_in", email: scene.email, password };
      return outcome(await victim.post(scene.page(), fields));
    },
  ],
  [
    "CSRF: the form is sent as JSON or as plain text",
    "415 page",
    async (scene) =>
      outcomes(
        ["application/json", "text/plain"].map((type) =>
          scene.fetch(scene.page(), { method: "POST", headers: { "content-type": type }, body: "{}" }),
        ),
      ),
  ],
  [
    "CSRF: the session cookie does not go with other sites' forms, nor to scripts",
    "HttpOnly, SameSite=Lax",
    async (scene) => {
      const [cookie = ""] = (await scene.fetch(scene.page())).headers.getSetCookie();
      return ["HttpOnly", "SameSite=Lax"].filter((part) => cookie.includes(part)).join(", ");
    },
  ],
  [
    "clickjacking, sniffing, leaking by Referer or by a cache: the headers of every page",
    "5 pages, all safe",
    async (scene) => {
      const pages = await allPages(scene);
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
    "session fixation: a planted session secret is not the one after sign-in",
    "the planted one is signed out",
    async (scene) => {
      const [attacker, victim] = [new TestBrowser(scene.fetch), new TestBrowser(scene.fetch)];
      await attacker.get(scene.page());
      victim.cookies.set("parley_session", session(attacker));
      await victim.press("sign_in", scene.page(), { email: scene.email, password });
      const seen = await (await attacker.get(scene.page())).text();
      return session(victim) !== session(attacker) && seen.includes("<h1>Sign in</h1>")
        ? "the planted one is signed out"
        : "the attacker is signed in";
    },
  ],
  [
    "session fixation: a cookie that is no secret of ours is replaced",
    "replaced",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      browser.cookies.set("parley_session", "planted");
      await browser.get(scene.page());
      return /^[\w-]{43}$/.test(session(browser)) ? "replaced" : session(browser);
    },
  ],
  [
    "a form of before sign-in is sent after it",
    "400 page",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      const csrf_token = await browser.csrfToken(scene.page());
      await browser.press("sign_in", scene.page(), { email: scene.email, password });
      return outcome(await browser.post(scene.page(), { csrf_token, action: "allow" }));
    },
  ],
  [
    "the consent form of one request is sent for another: what counts is what is asked then, and shown",
    "tickets:read",
    async (scene) => {
      const browser = await scene.signedIn();
      const csrf_token = await browser.csrfToken(scene.page({ scope: "leads:read" }));
      const fields = { csrf_token, action: "allow", scope: "leads:write", client_id: "second-client" };
      const answer = await browser.post(scene.page({ scope: "tickets:read" }), fields);
      const code = locationOf(answer).searchParams.get("code") ?? "";
      return ((await (await scene.exchange(code)).json()) as { scope: string }).scope;
    },
  ],
  [
    "user enumeration by text: unknown email and wrong password",
    "the same page",
    async (scene) => {
      const pages = [];
      for (const email of [scene.email, "nobody@example.com"]) {
        const browser = new TestBrowser(scene.fetch);
        const answer = await browser.press("sign_in", scene.page(), { email, password: "wrong" });
        const text = await (await browser.get(scene.page())).text();
        pages.push(`${answer.status} ${text.replaceAll(email, "").replace(/value="[\w-]{43}"/, "")}`);
      }
      return pages[0] === pages[1] && pages[0]?.includes("Email or password is wrong.")
        ? "the same page"
        : "another page";
    },
  ],
  [
    "user enumeration by time: an unknown email costs a password check too",
    "alike",
    async (scene) => {
      const fastest: number[] = [];
      for (const email of [scene.email, "nobody-at-all@example.com"]) {
        const times = [];
        for (let round = 0; round < 3; round += 1) {
          const browser = new TestBrowser(scene.fetch);
          const csrf_token = await browser.csrfToken(scene.page());
          const startedAt = performance.now();
          await browser.post(scene.page(), { csrf_token, action: "sign_in", email, password: "wrong" });
          times.push(performance.now() - startedAt);
        }
        fastest.push(Math.min(...times));
      }
      const [known = 0, unknown = 0] = fastest;
      return unknown > known / 3 && unknown < known * 3 ? "alike" : `${known} and ${unknown} ms`;
    },
  ],
  [
    "brute force of a password: after ten, the right one waits too, and the page says how long",
    "10 times 303 here, then 429 page",
    async (scene) => {
      const email = "brute-forced@example.com"; // Unknown ones are throttled alike, so that a limit tells nothing.
      const browser = new TestBrowser(scene.fetch);
      const answers = [];
      for (let guess = 0; guess < 11; guess += 1) {
        const fields = { email, password: `guess ${guess}` };
        answers.push(await outcome(await browser.press("sign_in", scene.page(), fields)));
      }
      const last = answers.pop();
      return `${answers.length} times ${[...new Set(answers)].join()}, then ${last}`;
    },
  ],
  [
    "HTML in the typed email",
    "text",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      await browser.press("sign_in", scene.page(), { email: script, password: "x" });
      return shownAs(browser.get(scene.page()));
    },
  ],
  [
    "HTML in the cookie that brings the typed email back",
    "text",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      browser.cookies.set("parley_failed_sign_in", Buffer.from(script).toString("base64url"));
      return shownAs(browser.get(scene.page()));
    },
  ],
  [
    "HTML in the names of app, organization and user, on each page that shows them",
    "text, text, text",
    async (scene) => {
      const evil = { client_id: "evil-app", redirect_uri: "https://evil.example.com/" };
      const { users, id } = await scene.db.organization.create({
        data: {
          name: script,
          users: { create: { email: "evil@example.com", name: script, passwordHash: await hashOf(scene) } },
        },
        include: { users: true },
      });
      await register(scene.db, evil, [evil.redirect_uri]);
      await scene.db.oAuthClient.update({ where: { id: evil.client_id }, data: { name: script } });
      const user = await signIn(scene, users[0]?.email ?? "", scene.page(evil));
      const signInPage = await shownAs(new TestBrowser(scene.fetch).get(scene.page(evil)));
      const consent = await shownAs(user.get(scene.page(evil)));
      const other = await scene.db.organization.create({ data: { name: "Other" } });
      await scene.db.oAuthClient.update({
        where: { id: evil.client_id },
        data: { organizationId: other.id },
      });
      const foreign = await shownAs(user.get(scene.page(evil)));
      await scene.db.organization.delete({ where: { id } });
      return [signInPage, consent, foreign].join(", ");
    },
  ],
  [
    "HTML in the redirect URI, where the page says where it leads",
    "not shown",
    async (scene) => {
      const uri = "http://127.0.0.1:4000/callback";
      const browser = await scene.signedIn();
      return shownAs(browser.get(scene.page({ redirect_uri: uri, state: script, code_challenge: script })));
    },
  ],
  [
    "HTML in parameters that an error page or a redirect speaks of",
    "not shown, 302 app.example.com invalid_scope",
    async (scene) => {
      const browser = await scene.signedIn();
      const page = await shownAs(browser.get(scene.page({ client_id: script, redirect_uri: script })));
      return `${page}, ${await outcome(await browser.get(scene.page({ scope: script })))}`;
    },
  ],
  [
    "HTML in the query that the error page links back to",
    "text of the address alone",
    async (scene) => {
      const browser = await scene.signedIn();
      const page = `${scene.page()}&x="><script>alert(1)</script>`;
      const html = await (await browser.post(page, { csrf_token: "x", action: "allow" })).text();
      return html.includes("<script") ? "markup" : "text of the address alone";
    },
  ],
  [
    "SQL in every field of the sign-in form",
    "303 here, nobody signed in",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      const sql = "' OR '1'='1'; DROP TABLE users; --";
      const answer = await outcome(
        await browser.press("sign_in", scene.page(), { email: sql, password: sql }),
      );
      const page = await (await browser.get(scene.page())).text();
      return `${answer}, ${page.includes("Allow") ? "somebody" : "nobody"} signed in`;
    },
  ],
  [
    "oversized fields of the form",
    "400 page",
    async (scene) => {
      const browser = new TestBrowser(scene.fetch);
      return outcomes([
        browser.press("sign_in", scene.page(), { email: "x".repeat(255), password }),
        browser.press("sign_in", scene.page(), { email: scene.email, password: "x".repeat(1025) }),
        browser.press("sign_in", scene.page(), { csrf_token: "x".repeat(100_000) }),
      ]);
    },
  ],
  [
    "NUL and half characters in the form and in the query",
    "400 page",
    async (scene) => {
      const browser = await scene.signedIn();
      return outcomes([
        browser.press("sign_in", scene.page(), { email: "a\0b", password: "x" }),
        browser.get(scene.page({ state: "a\0b" })),
        browser.get(scene.page({ redirect_uri: `${redirectUri}\0` })),
      ]);
    },
  ],
];

/** The user's own hash, so that the test need not compute another. */
async function hashOf({ db, userId }: Scene): Promise<string> {
  return (await db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash;
}

testAttacks(attacks);
