import type { Database } from "@parley/database";
import { createClient } from "@parley/database/accounts";

/** Registers a client as operators do, with a generated ID and secret. */
export async function registerClient(
  db: Database,
  redirectUri: string,
): Promise<{ clientId: string; clientSecret: string }> {
  const wanted = { name: "Third-party client", redirectUris: [redirectUri], organizationId: null };
  const { client, secret } = await createClient(db, { ...wanted, isPublic: false }, { operator: "test" });
  if (secret === null) throw new Error("a confidential client has a secret");
  return { clientId: client.id, clientSecret: secret };
}
