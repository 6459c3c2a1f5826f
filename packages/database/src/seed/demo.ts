import { randomBytes } from "node:crypto";
import { scopeMeanings } from "@parley/contract";
import type { Database, Transaction } from "../client.ts";
import { hashPassword, hashToken } from "../credentials.ts";
import { demoRecords } from "./demo-records.ts";

/** What everybody knows, so it must never stand in a database that others can reach. */
export const demo = {
  password: "parley-demo",
  clientId: "demo-client",
  clientSecret: "demo-secret",
  redirectUris: ["http://127.0.0.1/callback", "http://localhost/callback"],
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

/** A machine that is busy, as at a first start, may need many times what the demo's records take otherwise. */
const longestSeedMs = 60_000;
const demoScopes = Object.keys(scopeMeanings);

/**
 * Fills an empty database with four organizations, one a plan, and an OAuth client.
 *
 * @returns whether it did; a database that holds an organization is left as it is
 */
export async function seedDemo(db: Database): Promise<boolean> {
  const passwordHash = await hashPassword(demo.password);
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
 * For servers that others can reach.
 *
 * @throws Error when the database holds the demo's client, whose secret everybody knows
 */
export async function refuseDemo(db: Pick<Database, "oAuthClient">): Promise<void> {
  if ((await db.oAuthClient.count({ where: { id: demo.clientId } })) > 0) {
    throw new Error(
      "DATABASE_URL names a database with the demo's users and client, whose passwords everybody knows. Use an empty one.",
    );
  }
}

/**
 * An access token of the Pro organization's user for one hour, to try the API without a browser.
 *
 * @returns null when the database is not the demo's
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
