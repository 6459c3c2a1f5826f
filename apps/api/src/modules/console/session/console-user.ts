import { allowsScope } from "@parley/contract";
import { type Database, hashToken } from "@parley/database";
import type { PlatformUser } from "@parley/database/accounts";

/** Person who is signed in to the console: a user, or a person who opened a console link. */
export interface ConsoleUser {
  /** ID of the user; null in the session of a console link. */
  userId: string | null;
  /** Person of the console link; undefined for a user. */
  platformUser: PlatformUser | undefined;
  name: string;
  organizationId: string;
  organizationName: string;
  plan: string;
  /** Whether the person may change apps of the organization, and see its audit log. */
  isAdmin: boolean;
  /** Whether the person may change webhooks: the rule of the scope `webhooks:manage`. */
  managesWebhooks: boolean;
}

/** Finds the person of a session secret; null without an unexpired session, and while the organization is deleted. */
export async function findConsoleUser(db: Database, secret: string, now: Date): Promise<ConsoleUser | null> {
  const session = await db.userSession.findUnique({
    where: { tokenHash: hashToken(secret), expiresAt: { gt: now } },
    include: { organization: true, user: { include: { organization: true } } },
  });
  const organization = session?.user?.organization ?? session?.organization;
  if (!session || !organization || organization.deletionStartedAt !== null) return null;
  const { user, externalId } = session;
  const role = user?.role ?? session.role ?? "member";
  const name = user?.name ?? session.name ?? "";
  return {
    userId: user?.id ?? null,
    platformUser: user ? undefined : { name, externalId },
    name,
    organizationId: organization.id,
    organizationName: organization.name,
    plan: organization.plan,
    isAdmin: role === "admin",
    managesWebhooks: allowsScope(role, "webhooks:manage"),
  };
}
