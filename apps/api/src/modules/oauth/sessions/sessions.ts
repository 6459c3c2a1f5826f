import { type Database, hashToken, recordAudit, type User } from "@parley/database";
import { platformUserDetails } from "@parley/database/accounts";
import { sessionLifetime } from "../lifetimes.ts";
import { randomSecret } from "../secrets.ts";
import { networkOf } from "./network.ts";

/** User of a session, with organization. */
export interface SignedInUser {
  id: string;
  name: string;
  email: string;
  organizationId: string;
  organizationName: string;
  plan: string;
  role: string;
}

/**
 * Finds the user of a session secret; null without an unexpired session. The session of a console link has no user, so that it
 * can give no app access.
 */
export async function findUser(db: Database, secret: string, now: Date): Promise<SignedInUser | null> {
  const session = await db.userSession.findUnique({
    where: {
      tokenHash: hashToken(secret),
      expiresAt: { gt: now },
      user: { organization: { deletionStartedAt: null } },
    },
    include: { user: { include: { organization: true } } },
  });
  if (!session?.user) return null;
  const { id, name, email, role, organization } = session.user;
  const { id: organizationId, name: organizationName, plan } = organization;
  return { id, name, email, organizationId, organizationName, plan, role };
}

/** Starts a session under a new secret, which prevents session fixation, and returns the secret. */
export async function startSession(
  db: Database,
  { id: userId, organizationId }: Pick<User, "id" | "organizationId">,
  { now, address }: { now: Date; address: string },
): Promise<string> {
  const secret = randomSecret();
  const session = { userId, createdAt: now, expiresAt: new Date(now.getTime() + sessionLifetime) };
  const details = { network: networkOf(address) }; // Read by network.ts.
  await db.$transaction([
    db.userSession.create({ data: { tokenHash: hashToken(secret), ...session } }),
    recordAudit(db, { event: "user.signed_in", userId, organizationId, address, details }),
  ]);
  return secret;
}

/** Ends the session of a secret, if there is one. */
export async function endSession(db: Database, secret: string, address: string): Promise<void> {
  const tokenHash = hashToken(secret);
  const session = await db.userSession.findUnique({ where: { tokenHash }, include: { user: true } });
  if (!session) return;
  const { user, organizationId, name, externalId } = session;
  const person = user
    ? { userId: user.id, organizationId: user.organizationId }
    : { organizationId, details: platformUserDetails({ name: name ?? "", externalId }) };
  await db.$transaction([
    db.userSession.deleteMany({ where: { tokenHash } }),
    recordAudit(db, { event: "user.signed_out", ...person, address }),
  ]);
}
