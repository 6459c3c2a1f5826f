import { randomBytes } from "node:crypto";
import { type Plan, type Scope, scopeMeanings } from "@parley/contract";
import { type Database, hashToken } from "@parley/database";

export function newPlatformKey(): string {
  return `parley_pk_${randomBytes(32).toString("hex")}`;
}

/** Returns the hash of a platform key for PLATFORM_KEY_HASHES. */
export function hashOfKey(platformKey: string): string {
  return Buffer.from(hashToken(platformKey)).toString("hex");
}

/** Organization with a user, a chatbot and an access token. */
export interface Tenant {
  organizationId: string;
  userId: string;
  chatbotId: string;
  grantId: string;
  token: string;
}

export interface TenantOptions {
  plan?: Plan;
  scopes?: Scope[];
  threshold?: number;
  organizationId?: string;
}

export async function createTenant(db: Database, options: TenantOptions = {}): Promise<Tenant> {
  const { plan = "business", scopes, threshold = 70, organizationId } = options;
  const unique = randomBytes(6).toString("hex");
  const organization = await db.organization.create({
    data: {
      ...(organizationId && { id: organizationId }),
      name: `Organization ${unique}`,
      plan,
      users: { create: { name: "Uma User", email: `${unique}@example.com`, passwordHash: "none" } },
      chatbots: {
        create: { name: `Bot ${unique}`, model: "parley-small", qualificationThreshold: threshold },
      },
    },
    include: { users: true, chatbots: true },
  });
  const [user] = organization.users;
  const [chatbot] = organization.chatbots;
  if (!user || !chatbot) throw new Error("the tenant's user or chatbot was not created");
  const { grantId, token } = await issueToken(
    db,
    { organizationId: organization.id, userId: user.id },
    scopes,
  );
  return { organizationId: organization.id, userId: user.id, chatbotId: chatbot.id, grantId, token };
}

/** Issues another access token for a user, by default valid for an hour. */
export async function issueToken(
  db: Database,
  { organizationId, userId }: Pick<Tenant, "organizationId" | "userId">,
  scopes: Scope[] = Object.keys(scopeMeanings) as Scope[],
  expiresAt = new Date(Date.now() + 3_600_000),
): Promise<{ grantId: string; token: string }> {
  const token = `parley_at_${randomBytes(32).toString("base64url")}`;
  const client = { id: "test-client", name: "Test client", redirectUris: ["http://127.0.0.1/callback"] };
  await db.oAuthClient.upsert({ where: { id: client.id }, create: client, update: {} });
  const { id } = await db.oAuthGrant.create({
    data: {
      organizationId,
      userId,
      clientId: client.id,
      scopes,
      tokens: { create: { tokenHash: hashToken(token), kind: "access", scopes, expiresAt } },
    },
  });
  return { grantId: id, token };
}
