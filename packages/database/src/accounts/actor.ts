import { type AuditRecord, recordAudit } from "../audit.ts";
import type { Transaction } from "../client.ts";

/** Person in a platform, who opened the console with a link. */
export interface PlatformUser {
  name: string;
  /** ID in the platform. */
  externalId: string | null;
}

/** Author of a change: a user or a platform's user on a page, an app with the access of a user, or an operator on the command line. */
export interface Actor {
  userId?: string;
  /** App that made the change with an access token, and its grant. */
  clientId?: string;
  grantId?: string;
  /** Network address. */
  address?: string;
  /** Name of the operator's account on the server. */
  operator?: string;
  platformUser?: PlatformUser | undefined;
}

/** Returns the details of the audit log about a platform's user. */
export function platformUserDetails({ name, externalId }: PlatformUser): { platform_user: object } {
  return { platform_user: { name, external_id: externalId } };
}

/** Records a change and its author in the audit log. */
export async function recordChange(tx: Transaction, by: Actor, record: AuditRecord): Promise<void> {
  const { operator, platformUser, ...subject } = by;
  const details = {
    ...(operator !== undefined && { operator }),
    ...(platformUser && platformUserDetails(platformUser)),
    ...record.details,
  };
  await recordAudit(tx, { ...subject, ...record, details });
}
