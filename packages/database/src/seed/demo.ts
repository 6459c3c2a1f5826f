import { randomBytes } from "node:crypto";
import { scopeMeanings } from "@parley/contract";
import type { Database, Transaction } from "../client.ts";
import { cheapHash, hashPassword, hashToken } from "../credentials.ts";
import { demoRecords } from "./demo-records.ts";

/** Demo credentials. They are public, so they must not be in the database of a production server. */
export const demo = {
  password: "parley-demo",
  clientId: "demo-client",
  clientSecret: "demo-secret",
  redirectUris: ["http://127.0.0.1/callback", "http://localhost/callback"],
  /** Public client with which readers of the documentation send requests. */
  docsClient: {
    id: "parley-docs",
    name: "Parley documentation",
    redirectUris: ["http://127.0.0.1/docs/signed-in", "http://localhost/docs/signed-in"],
  },
  users: [
    { plan: "free", name: "Frida Free", email: "free@demo.parley.dev", organization: "Free Florists" },
    {
      plan: "starter",
      name: "Stefan Starter",
      email: "starter@demo.parley.dev",
      organization: "Starter Studios",
    },
    { plan: "pro", name: "Petra Pro", email: "pro@demo.parley.dev", organization: "Pro Properties" },
    {
      plan: "business",
      name: "Bashir Business",
      email: "business@demo.parley.dev",
      organization: "Business Builders",
    },
  ],
} as const;

/** Timeout in ms. It is much longer than seeding usually takes, because machines are often busy at the first start. */
const longestSeedMs = 60_000;
const demoScopes = Object.keys(scopeMeanings);

/**
 * Fills an empty database with four organizations, one per plan, and two OAuth clients.
 *
 * @returns false if the database already contains an organization and was not changed
 */
export async function seedDemo(db: Database): Promise<boolean> {
  const passwordHash = await hashPassword(demo.password, cheapHash);
  return db.$transaction((tx) => seed(tx, passwordHash), { timeout: longestSeedMs });
}

async function seed(tx: Transaction, passwordHash: string): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('parley demo'))`;
  if ((await tx.organization.count()) > 0) return false;
  await tx.oAuthClient.create({
    data: {
      id: demo.clientId,
      name: "Demo app",
      redirectUris: [...demo.redirectUris],
      secrets: { create: { secretHash: hashToken(demo.clientSecret) } },
    },
  });
  await tx.oAuthClient.create({
    data: { ...demo.docsClient, redirectUris: [...demo.docsClient.redirectUris], isPublic: true },
  });
  for (const [index, { plan, name, email, organization }] of demo.users.entries()) {
    const { id: organizationId } = await tx.organization.create({
      data: { name: organization, plan, users: { create: { name, email, passwordHash, role: "admin" } } },
    });
    const records = demoRecords(organizationId, index, new Date());
    await tx.chatbot.createMany({ data: records.chatbots });
    await tx.lead.createMany({ data: records.leads });
    await tx.conversation.createMany({ data: records.conversations });
    await tx.message.createMany({ data: records.messages });
    await tx.ticket.createMany({ data: records.tickets });
    await tx.meeting.createMany({ data: records.meetings });
  }
  return true;
}

/**
 * Rejects a database with demo data, for production servers.
 *
 * @throws Error if the database contains the demo's client, whose secret is public
 */
export async function rejectDemo(db: Pick<Database, "oAuthClient">): Promise<void> {
  if ((await db.oAuthClient.count({ where: { id: demo.clientId } })) > 0) {
    throw new Error(
      "The database in DATABASE_URL contains the demo's users and client, whose passwords are public. Use an empty database.",
    );
  }
}

/**
 * Issues an access token of the Pro organization's user, valid for one hour, to try the API without a browser.
 *
 * @returns null if the database contains no demo data
 */
export async function issueDemoToken(db: Database): Promise<string | null> {
  const user = await db.user.findFirst({
    where: { email: "pro@demo.parley.dev" },
    select: { id: true, organizationId: true },
  });
  const client = await db.oAuthClient.findUnique({ where: { id: demo.clientId } });
  if (!user || !client) return null;
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  await db.oAuthGrant.create({
    data: {
      organizationId: user.organizationId,
      userId: user.id,
      clientId: demo.clientId,
      scopes: demoScopes,
      tokens: {
        create: {
          tokenHash: hashToken(token),
          kind: "access",
          scopes: demoScopes,
          expiresAt: new Date(Date.now() + 3_600_000),
        },
      },
    },
  });
  return token;
}
