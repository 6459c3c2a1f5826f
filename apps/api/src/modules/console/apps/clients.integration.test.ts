import { hashToken } from "@parley/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestBrowser } from "../../oauth/testing/browser.ts";
import { client } from "../../oauth/testing/fixture.ts";
import { type ConsoleFixture, startConsole } from "../testing/console.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await startConsole();
});
afterAll(() => fixture.close());

const uri = "https://app.example.com/callback";
const fields = {
  name: "Lead export",
  redirect_uris: `${uri}\r\n\r\n  http://127.0.0.1/callback\r\n`,
  kind: "confidential",
};
const secretIn = (page: string) => /parley_cs_[\w-]{43}/.exec(page)?.[0];
const textOf = async (browser: TestBrowser, url: string) => (await browser.get(url)).text();

/** Registers an app and follows the redirect to its page. */
async function register(browser: TestBrowser, more: Record<string, string> = {}) {
  const response = await browser.press("create", fixture.clients, { ...fields, ...more });
  expect(response.status).toBe(303);
  const location = response.headers.get("location") ?? "";
  const url = `${fixture.url}${location}`;
  return { location, url, id: location.split("/").at(-1) ?? "", page: await textOf(browser, url) };
}

async function audited(clientId: string) {
  const log = await fixture.db.auditEntry.findMany({ where: { clientId }, orderBy: { id: "asc" } });
  return log;
}

describe("registering an app", () => {
  test("redirects to the app's page, which shows the secret once", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const { id, location, url, page } = await register(browser);
    expect(location).toMatch(/^\/console\/clients\/parley_ci_[0-9a-f]{24}$/);
    const secret = secretIn(page) ?? "";
    expect(page).toContain("Lead export was registered.");
    for (const again of [url, url, fixture.clients, fixture.apps]) {
      expect(await textOf(browser, again)).not.toContain("parley_cs_");
    }
    expect(
      await fixture.db.oAuthClient.findUniqueOrThrow({ where: { id }, include: { secrets: true } }),
    ).toMatchObject({
      name: "Lead export",
      redirectUris: [uri, "http://127.0.0.1/callback"],
      organizationId: person.organizationId,
      isPublic: false,
      secrets: [{ secretHash: hashToken(secret), hint: secret.slice(-4) }],
    });
    expect(await fixture.db.oAuthClient.count({ where: { organizationId: person.organizationId } })).toBe(1);

    const log = await audited(id);
    expect(log).toMatchObject([
      {
        event: "client.created",
        organizationId: person.organizationId,
        userId: person.userId,
        address: "127.0.0.1",
      },
    ]);
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  test("the secret works at the token endpoint", async () => {
    const browser = await fixture.signIn(await fixture.person());
    const { id, page } = await register(browser);
    const form = { grant_type: "refresh_token", refresh_token: "x", client_id: id };
    const tried = async (client_secret: string) =>
      ((await (await fixture.token({ ...form, client_secret })).json()) as { error: string }).error;
    expect(await tried(secretIn(page) ?? "")).toBe("invalid_grant");
    expect(await tried("wrong")).toBe("invalid_client");
  });

  test("two tabs that register an app show different secrets", async () => {
    const browser = await fixture.signIn(await fixture.person());
    const responses = await Promise.all([1, 2].map(() => browser.press("create", fixture.clients, fields)));
    for (const response of responses) {
      const url = `${fixture.url}${response.headers.get("location")}`;
      expect(await textOf(browser, url)).toContain("parley_cs_");
      expect(await textOf(browser, url)).not.toContain("parley_cs_");
    }
  });

  test("shows the secret only to the browser that created it, and stores it encrypted until then", async () => {
    const person = await fixture.person();
    const [browser, other] = [await fixture.signIn(person), await fixture.signIn(person)];
    const response = await browser.press("create", fixture.clients, fields);
    const url = `${fixture.url}${response.headers.get("location")}`;
    const [waiting] = await fixture.db.userSession.findMany({
      where: { userId: person.userId, message: { not: null } },
    });
    expect(Buffer.from(waiting?.message ?? []).toString("latin1")).not.toContain("parley_cs_");
    expect(await textOf(other, url)).not.toContain("parley_cs_");
    const cookie = `parley_session=${browser.cookies.get("parley_session")}`;
    await fetch(url, { method: "HEAD", headers: { cookie } }); // A look ahead takes nothing.
    const both = await Promise.all([textOf(browser, url), textOf(browser, url)]);
    expect(both.filter((page) => page.includes("parley_cs_"))).toHaveLength(1);
    expect(
      await fixture.db.userSession.count({ where: { userId: person.userId, message: { not: null } } }),
    ).toBe(0);
  });

  test("creates no secret for a public app", async () => {
    const { page, id } = await register(await fixture.signIn(await fixture.person()), { kind: "public" });
    expect(page).not.toContain("parley_cs_");
    expect(page).not.toContain("Create a new secret");
    expect(await fixture.db.oAuthClient.findUniqueOrThrow({ where: { id } })).toMatchObject({
      isPublic: true,
    });
  });

  test("shows each problem once at its field, and keeps the typed values", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const wrong = { name: " ", redirect_uris: `http://app.example.com/"><b>`, kind: "public" };
    const response = await browser.press("create", fixture.clients, wrong);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console/clients"]);
    const page = await textOf(browser, fixture.clients);
    expect(page).toContain('id="name-problem">A name is required.');
    expect(page).toContain('aria-describedby="redirect_uris-hint redirect_uris-problem"');
    expect(page).toContain("http://app.example.com/&quot;&gt;&lt;b&gt;</textarea>");
    expect(page).toMatch(/value="public"[^>]* checked/);
    expect(await textOf(browser, fixture.clients)).not.toContain("A name is required.");
    expect(await fixture.db.oAuthClient.count({ where: { organizationId: person.organizationId } })).toBe(0);
  });
});

describe("changing an app", () => {
  test("updates name and redirect URIs according to the rules", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const { id } = await fixture.ownClient(person);
    const url = `${fixture.clients}/${id}`;
    await browser.press("update", url, { name: "Renamed", redirect_uris: "com.example.app:/callback" });
    expect(await textOf(browser, url)).toContain("The changes were saved.");
    const row = () => fixture.db.oAuthClient.findUniqueOrThrow({ where: { id } });
    expect(await row()).toMatchObject({ name: "Renamed", redirectUris: ["com.example.app:/callback"] });

    await browser.press("update", url, { name: "Again", redirect_uris: "javascript:alert(1)" });
    const page = await textOf(browser, url);
    expect(page).toContain("The redirect URI javascript:alert(1) must begin with https://");
    expect(page).toContain('value="Again"');
    expect(await row()).toMatchObject({ name: "Renamed" });
    expect((await audited(id)).map(({ event }) => event)).toEqual(["client.updated"]);
  });

  test("keeps two secrets valid during a rotation, and revokes the old one on request", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const { id } = await fixture.ownClient(person);
    const url = `${fixture.clients}/${id}`;
    await browser.press("rotate_secret", url, { old_valid_for: "week" });
    const page = await textOf(browser, url);
    const secret = secretIn(page) ?? "";
    expect(page).toContain("…abcd");
    expect(page).toContain("valid until");
    expect(page).not.toContain("Create a new secret");
    const secrets = () =>
      fixture.db.oAuthClientSecret.findMany({ where: { clientId: id }, orderBy: { createdAt: "asc" } });
    const [old, made] = await secrets();
    expect(Math.round(((old?.expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000)).toBe(7 * 24);
    expect(made).toMatchObject({ secretHash: hashToken(secret), expiresAt: null });

    await browser.press("rotate_secret", url); // From an older page: nothing ends sooner than was said.
    expect(await textOf(browser, url)).toContain("Two secrets are already valid");
    await browser.press("remove_old_secret", url);
    expect(await textOf(browser, url)).toContain("The old secret was revoked.");
    expect(await secrets()).toMatchObject([{ secretHash: hashToken(secret) }]);
    expect((await audited(id)).map(({ event, userId }) => [event, userId])).toEqual([
      ["client.secret_rotated", person.userId],
      ["client.secret_removed", person.userId],
    ]);
  });

  test("revokes a leaked secret immediately", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const { id } = await fixture.ownClient(person);
    await browser.press("rotate_secret", `${fixture.clients}/${id}`, { old_valid_for: "none" });
    expect(await fixture.db.oAuthClientSecret.count({ where: { clientId: id } })).toBe(1);
  });

  test("deletes it with its grants after a confirmation", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const { id } = await fixture.ownClient(person);
    await fixture.connect(person, id, ["leads:read"]);
    const url = `${fixture.clients}/${id}`;
    const question = await textOf(browser, `${url}?confirm=delete`);
    expect(question).toContain("<h1>Delete Own &lt;b&gt;app&lt;/b&gt;?</h1>");
    expect(question).toContain("One user has given it access");
    const response = await browser.press("delete", url);
    expect(response.headers.get("location")).toBe("/console/clients");
    expect(await textOf(browser, fixture.clients)).toContain("Own &lt;b&gt;app&lt;/b&gt; was deleted.");
    expect((await browser.get(url)).status).toBe(404);
    expect(await fixture.db.oAuthGrant.count({ where: { clientId: id } })).toBe(0);
    expect((await audited(id)).map(({ event }) => event)).toEqual(["client.deleted"]);
  });
});

test.each<[choice: "disable" | "keep", enabled: boolean]>([
  ["disable", false],
  ["keep", true],
])("the deletion of an app lists the webhooks that it created, and can %s them", async (choice, enabled) => {
  const [person, colleague] = [await fixture.person(), await fixture.person()];
  const browser = await fixture.signIn(person);
  const { id } = await fixture.ownClient(person);
  const { organizationId } = person;
  const created = { organizationId, userId: colleague.userId, clientId: id, eventTypes: ["*"] };
  const webhook = await fixture.db.subscription.create({
    data: {
      ...created,
      targetUrl: "https://hooks.example.com/",
      secret: Buffer.alloc(1),
      queue: { create: {} },
    },
  });
  const url = `${fixture.clients}/${id}`;
  expect(await textOf(browser, `${url}?confirm=delete`)).toContain("https://hooks.example.com/");
  await browser.press("delete", `${url}?confirm=delete`, { webhooks: choice });
  const row = await fixture.db.subscription.findUniqueOrThrow({ where: { id: webhook.id } });
  expect([row.enabled, row.clientId, row.userId]).toEqual([enabled, null, colleague.userId]);
});

const actions = ["update", "rotate_secret", "remove_old_secret", "delete"];

describe("permissions", () => {
  test("hides apps of other organizations and of the operator", async () => {
    const [person, stranger] = [await fixture.person(), await fixture.person()];
    const foreign = await fixture.ownClient(stranger, "Foreign secret project");
    const browser = await fixture.signIn(person);
    expect(await textOf(browser, fixture.clients)).not.toContain("Foreign");
    const csrf_token = /csrf_token" value="([^"]+)/.exec(await textOf(browser, fixture.clients))?.[1] ?? "";
    for (const id of [foreign.id, client.client_id, "nobody", "..%2Fapps", "%00"]) {
      const url = `${fixture.clients}/${id}`;
      const seen = await browser.get(url);
      expect([404, 400]).toContain(seen.status);
      expect(await seen.text()).not.toContain("Foreign");
      if (id === "%00") continue;
      for (const action of actions) {
        const response = await browser.post(url, {
          csrf_token,
          action,
          name: "Taken over",
          redirect_uris: uri,
        });
        expect([id, action, response.status]).toEqual([id, action, 404]);
      }
    }
    const { name, redirectUris } = await fixture.db.oAuthClient.findUniqueOrThrow({
      where: { id: foreign.id },
    });
    expect([name, redirectUris]).toEqual([foreign.name, foreign.redirectUris]);
    expect(await audited(foreign.id)).toEqual([]);
  });

  test("rejects users who are not admins with an explanation", async () => {
    const person = await fixture.person("member");
    const own = await fixture.ownClient(person);
    const browser = await fixture.signIn(person);
    for (const url of [fixture.clients, `${fixture.clients}/${own.id}`]) {
      const response = await browser.get(url);
      expect(response.status).toBe(403);
      const page = await response.text();
      expect(page).toContain("<h1>Ask your admin</h1>");
      expect(page).not.toContain("Own apps");
    }
    expect((await browser.press("create", fixture.clients, fields)).status).toBe(403);
    for (const action of actions) {
      expect((await browser.press(action, `${fixture.clients}/${own.id}`, fields)).status).toBe(403);
    }
    expect(await fixture.db.oAuthClient.count({ where: { organizationId: person.organizationId } })).toBe(1);
    expect((await fixture.db.oAuthClient.findUniqueOrThrow({ where: { id: own.id } })).name).toBe(own.name);
  });

  test("applies a changed role to the next request", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    await fixture.db.user.update({ where: { id: person.userId }, data: { role: "member" } });
    expect((await browser.press("create", fixture.clients, fields)).status).toBe(403);
  });

  test("redirects to the sign-in page if the session ended after the page was rendered", async () => {
    const person = await fixture.person();
    const browser = await fixture.signIn(person);
    const csrf_token = /csrf_token" value="([^"]+)/.exec(await textOf(browser, fixture.clients))?.[1] ?? "";
    await fixture.db.userSession.deleteMany({ where: { userId: person.userId } });
    const response = await browser.post(fixture.clients, { csrf_token, action: "create", ...fields });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/console/clients"]);
    expect(await fixture.db.oAuthClient.count({ where: { organizationId: person.organizationId } })).toBe(0);
  });

  test("returns to the requested page after sign-in", async () => {
    const person = await fixture.person();
    const { id } = await fixture.ownClient(person);
    const browser = await fixture.signIn(person, `${fixture.clients}/${id}`);
    expect(await textOf(browser, `${fixture.clients}/${id}`)).toContain(
      "<h1>Own &lt;b&gt;app&lt;/b&gt;</h1>",
    );
  });

  test("limits the number of apps of an organization", async () => {
    const person = await fixture.person();
    const { organizationId } = person;
    const rows = Array.from({ length: 100 }, (_, index) => ({
      id: `${organizationId} ${index}`,
      name: "One of many",
    }));
    await fixture.db.oAuthClient.createMany({ data: rows.map((row) => ({ ...row, organizationId })) });
    const browser = await fixture.signIn(person);
    await browser.press("create", fixture.clients, fields);
    const page = await textOf(browser, fixture.clients);
    expect(page).toContain("maximum of 100 apps");
    expect(page).not.toContain(`aria-invalid="true"`); // No field is to blame.
  });
});
