import type { Scope } from "@parley/contract";
import { hashToken, type OAuthClient } from "@parley/database";
import { TestBrowser } from "../../oauth/testing/browser.ts";
import { createUser, type OAuthFixture, password, startOAuthFixture } from "../../oauth/testing/fixture.ts";

export interface Person {
  email: string;
  userId: string;
  organizationId: string;
}

/** Server with helpers for the console and its users. */
export interface ConsoleFixture extends OAuthFixture {
  apps: string;
  clients: string;
  /** Creates a user in a new organization. */
  person(role?: "admin" | "member"): Promise<Person>;
  signIn(person: Person, page?: string): Promise<TestBrowser>;
  /** Gives an app access in a user's name, as the authorization page does. Returns the ID of the grant. */
  connect(person: Person, clientId: string, scopes: Scope[], dates?: Dates): Promise<string>;
  /** Creates an app of the user's organization. */
  ownClient(person: Person, name?: string): Promise<OAuthClient>;
}

interface Dates {
  createdAt?: Date;
  lastUsedAt?: Date;
  expiresAt?: Date;
}

export async function startConsole(
  overrides: Parameters<typeof startOAuthFixture>[0] = {},
): Promise<ConsoleFixture> {
  const fixture = await startOAuthFixture(overrides);
  const { db, url } = fixture;
  const [apps, clients] = [`${url}/console/apps`, `${url}/console/clients`];
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
