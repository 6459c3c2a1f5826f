import type { Database } from "@parley/database";
import { AccountNotFoundError, findUserByName, type GrantFilter } from "@parley/database/accounts";

/** Values of the options. */
interface AccountNames {
  organization?: string | undefined;
  /** ID or email. */
  user?: string | undefined;
  client?: string | undefined;
}

/**
 * Returns the filter for `--organization`, `--user` and `--client`.
 *
 * @throws AccountNotFoundError, because an empty list would hide the mistake
 */
export async function accountFilter(
  db: Database,
  { organization, user, client }: AccountNames,
): Promise<GrantFilter> {
  if (organization !== undefined && (await db.organization.count({ where: { id: organization } })) === 0) {
    throw new AccountNotFoundError("organization", organization);
  }
  if (client !== undefined && (await db.oAuthClient.count({ where: { id: client } })) === 0) {
    throw new AccountNotFoundError("client", client);
  }
  return {
    ...(organization !== undefined && { organizationId: organization }),
    ...(user !== undefined && { userId: (await findUserByName(db, user)).id }),
    ...(client !== undefined && { clientId: client }),
  };
}
