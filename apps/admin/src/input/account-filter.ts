import type { Database } from "@parley/database";
import { findUserByName, type GrantFilter, NoSuchAccount } from "@parley/database/accounts";

/** As they were typed. */
interface AccountNames {
  organization?: string | undefined;
  /** Id or email. */
  user?: string | undefined;
  client?: string | undefined;
}

/**
 * What `--organization`, `--user` and `--client` leave of a list.
 *
 * @throws NoSuchAccount, since a list without rows would look as if there was nothing
 */
export async function accountFilter(
  db: Database,
  { organization, user, client }: AccountNames,
): Promise<GrantFilter> {
  if (organization !== undefined && (await db.organization.count({ where: { id: organization } })) === 0) {
    throw new NoSuchAccount("organization", organization);
  }
  if (client !== undefined && (await db.oAuthClient.count({ where: { id: client } })) === 0) {
    throw new NoSuchAccount("client", client);
  }
  return {
    ...(organization !== undefined && { organizationId: organization }),
    ...(user !== undefined && { userId: (await findUserByName(db, user)).id }),
    ...(client !== undefined && { clientId: client }),
  };
}
