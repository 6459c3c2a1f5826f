import { type Database, hashToken } from "@parley/database";
import { sessionLifetime } from "./lifetimes.ts";
import { randomSecret } from "./secrets.ts";

export interface SignedInUser {
  id: string;
  name: string;
  email: string;
  organizationId: string;
  organizationName: string;
}

/** The user of a browser's session secret; null when nobody is signed in there (any longer). */
export async function findUser(db: Database, secret: string, now: Date): Promise<SignedInUser | null> {
  const session = await db.userSession.findUnique({
    where: { tokenHash: hashToken(secret), expiresAt: { gt: now } },
    include: { user: { include: { organization: true } } },
  });
  if (!session) return null;
  const { id, name, email, organization } = session.user;
  return { id, name, email, organizationId: organization.id, organizationName: organization.name };
}

/** Signs a user in under a new secret, so that nobody can have planted the old one. */
export async function startSession(db: Database, userId: string, now: Date): Promise<string> {
  const secret = randomSecret();
  const expiresAt = new Date(now.getTime() + sessionLifetime);
  await db.userSession.create({ data: { tokenHash: hashToken(secret), userId, createdAt: now, expiresAt } });
  return secret;
}

export async function endSession(db: Database, secret: string): Promise<void> {
  await db.userSession.deleteMany({ where: { tokenHash: hashToken(secret) } });
}
