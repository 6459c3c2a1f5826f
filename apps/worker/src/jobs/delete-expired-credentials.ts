import type { Pool } from "pg";
import { deleteInBatches, deleteUnlocked } from "./delete-in-batches.ts";

/** The order matters, because a grant is only deleted after its codes and tokens. */
const expired = [
  {
    // Codes are kept for a day after they expire, because the reuse of a code, for example from a log, must revoke its
    // grant.
    table: "oauth_authorization_codes",
    key: "code_hash",
    where: "expires_at < now() - interval '1 day'",
  },
  { table: "oauth_tokens", key: "token_hash", where: "kind = 'access' AND expires_at < now()" },
  {
    // Rotated refresh tokens are kept to detect theft, RFC 9700 section 4.14.2: as long as the grant has an unexpired token, for at
    // most 30 days after they expire.
    table: "oauth_tokens",
    key: "token_hash",
    where: `kind = 'refresh' AND expires_at < now() AND (
      rotated_at IS NULL OR expires_at < now() - interval '30 days' OR NOT EXISTS (
        SELECT 1 FROM oauth_tokens alive JOIN oauth_grants g ON g.id = alive.grant_id
        WHERE alive.grant_id = old.grant_id AND alive.expires_at > now() AND g.revoked_at IS NULL))`,
  },
  { table: "user_sessions", key: "token_hash", where: "expires_at < now()" },
  { table: "console_links", key: "token_hash", where: "expires_at < now()" },
  { table: "oauth_client_secrets", key: "secret_hash", where: "expires_at < now()" },
  { table: "organization_signing_keys", key: "id", where: "published_until < now()" },
  {
    // Includes grants whose code was never exchanged, and grants whose refresh token expired.
    table: "oauth_grants",
    key: "id",
    where: `coalesce(revoked_at, last_used_at, created_at) < now() - interval '30 days'
      AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = old.id)
      AND NOT EXISTS (SELECT 1 FROM oauth_authorization_codes WHERE grant_id = old.id)`,
  },
];

/** Deletes expired codes, tokens, sessions, console links, client secrets, signing keys and grants, once they are not needed to detect theft. */
export async function deleteExpiredCredentials(db: Pool): Promise<void> {
  for (const rows of expired) await deleteInBatches(db, deleteUnlocked(rows));
}
