import { type Database, hashToken, recordAudit } from "@parley/database";
import { platformUserDetails } from "@parley/database/accounts";
import { linkSessionLifetime } from "../../oauth/lifetimes.ts";
import { newToken, randomSecret } from "../../oauth/secrets.ts";

/** Console link to create. */
interface NewLink {
  organizationId: string;
  role: "admin" | "member";
  /** Name of the person. */
  name: string;
  /** ID of the person in the platform. */
  externalId: string | null;
  /** Path and query of the page of the console to open. */
  returnTo: string;
  expiresAt: Date;
}

/**
 * Creates a console link.
 *
 * @returns its token, of which only a hash is stored
 */
export async function createLink(
  db: Database,
  link: NewLink,
  { now, address }: { now: Date; address: string },
): Promise<string> {
  const token = newToken("cl");
  const { organizationId, role } = link;
  const details = { role, ...platformUserDetails(link) };
  await db.$transaction([
    db.consoleLink.create({ data: { ...link, tokenHash: hashToken(token), createdAt: now } }),
    recordAudit(db, { event: "console_link.created", organizationId, address, details }),
  ]);
  return token;
}

/** Session that a link started. */
interface OpenedLink {
  sessionSecret: string;
  returnTo: string;
}

/**
 * Uses a link up and starts a session for its person. Of several concurrent calls, only one succeeds.
 *
 * @returns null if the link is unknown, used or expired, or its organization is deleted
 */
export async function openLink(
  db: Database,
  token: string,
  { now, address }: { now: Date; address: string },
): Promise<OpenedLink | null> {
  return db.$transaction(async (tx) => {
    const [link] = await tx.$queryRaw<Omit<NewLink, "expiresAt">[]>`
      UPDATE console_links AS link SET used_at = ${now} FROM organizations
      WHERE link.token_hash = ${hashToken(token)} AND link.used_at IS NULL AND link.expires_at > ${now}
        AND organizations.id = link.organization_id AND organizations.deletion_started_at IS NULL
      RETURNING link.organization_id AS "organizationId", link.role, link.name, link.external_id AS "externalId",
        link.return_to AS "returnTo"`;
    if (!link) return null;
    const { organizationId, role, name, externalId, returnTo } = link;
    const sessionSecret = randomSecret();
    await tx.userSession.create({
      data: {
        tokenHash: hashToken(sessionSecret),
        ...{ organizationId, role, name, externalId },
        createdAt: now,
        expiresAt: new Date(now.getTime() + linkSessionLifetime),
      },
    });
    const details = { role, ...platformUserDetails(link) };
    await recordAudit(tx, { event: "console_link.opened", organizationId, address, details });
    return { sessionSecret, returnTo };
  });
}

/** Finds the page that a link opens, without using the link up; null if `openLink` would return null. */
export async function findReturnAddress(db: Database, token: string, now: Date): Promise<string | null> {
  const link = await db.consoleLink.findUnique({
    where: {
      tokenHash: hashToken(token),
      usedAt: null,
      expiresAt: { gt: now },
      organization: { deletionStartedAt: null },
    },
  });
  return link?.returnTo ?? null;
}
