import type { Scope } from "@parley/contract";
import { hashToken, type OAuthClient } from "@parley/database";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { createUser, type OAuthFixture, password, startOAuthFixture } from "../../oauth/testing/fixture.ts";

export interface Person {
  email: string;
  userId: string;
  organizationId: string;
}

/** The real server, its account pages, and people who look at them. */
export interface AccountPages extends OAuthFixture {
  apps: string;
  clients: string;
  /** A user of an organization of its own. */
  person(role?: "admin" | "member"): Promise<Person>;
  signIn(person: Person, page?: string): Promise<TestBrowser>;
  /** Gives an app access in a person's name, as the authorization page does. */
  connect(person: Person, clientId: string, scopes: Scope[], dates?: Dates): Promise<string>;
  /** An app of the person's organization. */
  ownClient(person: Person, name?: string): Promise<OAuthClient>;
}

interface Dates {
  createdAt?: Date;
  lastUsedAt?: Date;
  expiresAt?: Date;
}

export async function startAccountPages(): Promise<AccountPages> {
  const fixture = await startOAuthFixture();
  const { db, url } = fixture;
  const [apps, clients] = [`${url}/account/apps`, `${url}/account/clients`];
  let tokens = 0;
  return {
    ...fixture,
    apps,
    clients,
    async person(role = "admin") {
      const { id: userId, email } = await createUser(db);
      const { organizationId } = await db.user.update({ where: { id: userId }, data: { role } });
      return { userId, email, organizationId };
    },
    async signIn({ email }, page = clients) {
      const browser = new TestBrowser(fixture.fetch);
      await browser.press("sign_in", page, { email, password });
      return browser;
    },
    async connect({ userId, organizationId }, clientId, scopes, { expiresAt, ...dates } = {}) {
      const tokenHash = hashToken(`token ${tokens++}`);
      const token = {
        tokenHash,
        kind: "refresh",
        scopes,
        expiresAt: expiresAt ?? new Date(Date.now() + 1e6),
      };
      const owner = { userId, organizationId, clientId };
      return (await db.oAuthGrant.create({ data: { ...owner, scopes, ...dates, tokens: { create: token } } }))
        .id;
    },
    ownClient: ({ organizationId }, name = "Own <b>app</b>") =>
      db.oAuthClient.create({
        data: {
          id: `own-${tokens++}`,
          name,
          organizationId,
          redirectUris: ["https://own.example.com/callback"],
          secrets: { create: { secretHash: hashToken(`secret ${tokens++}`), hint: "abcd" } },
        },
      }),
  };
}
