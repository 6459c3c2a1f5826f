import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** The order matters, because a grant is only deleted after its codes and tokens. */
const expired = [
  // Codes are kept for a day after they expire, because the reuse of a code, for example from a log, must revoke its
  // grant.
  `DELETE FROM oauth_authorization_codes WHERE code_hash = ANY (ARRAY(
     SELECT code_hash FROM oauth_authorization_codes WHERE expires_at < now() - interval '1 day'
     LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  `DELETE FROM oauth_tokens WHERE token_hash = ANY (ARRAY(
     SELECT token_hash FROM oauth_tokens WHERE kind = 'access' AND expires_at < now()
     LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  // Rotated refresh tokens are kept to detect theft, RFC 9700 section 4.14.2: as long as the grant has an unexpired token, for at
  // most 30 days after they expire.
  `DELETE FROM oauth_tokens WHERE token_hash = ANY (ARRAY(
     SELECT token_hash FROM oauth_tokens old WHERE kind = 'refresh' AND expires_at < now() AND (
       rotated_at IS NULL OR expires_at < now() - interval '30 days' OR NOT EXISTS (
         SELECT 1 FROM oauth_tokens alive JOIN oauth_grants g ON g.id = alive.grant_id
         WHERE alive.grant_id = old.grant_id AND alive.expires_at > now() AND g.revoked_at IS NULL))
     LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  `DELETE FROM user_sessions WHERE token_hash = ANY (ARRAY(
     SELECT token_hash FROM user_sessions WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  `DELETE FROM console_links WHERE token_hash = ANY (ARRAY(
     SELECT token_hash FROM console_links WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  `DELETE FROM oauth_client_secrets WHERE secret_hash = ANY (ARRAY(
     SELECT secret_hash FROM oauth_client_secrets WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  `DELETE FROM organization_signing_keys WHERE id = ANY (ARRAY(
     SELECT id FROM organization_signing_keys WHERE published_until < now() LIMIT $1 FOR UPDATE SKIP LOCKED))`,

  // Includes grants whose code was never exchanged, and grants whose refresh token expired.
  `DELETE FROM oauth_grants WHERE id = ANY (ARRAY(
     SELECT id FROM oauth_grants g
     WHERE coalesce(revoked_at, last_used_at, created_at) < now() - interval '30 days'
       AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = g.id)
       AND NOT EXISTS (SELECT 1 FROM oauth_authorization_codes WHERE grant_id = g.id)
     LIMIT $1 FOR UPDATE SKIP LOCKED))`,
];

/** Deletes expired codes, tokens, sessions, console links, client secrets, signing keys and grants, once they are not needed to detect theft. */
export async function deleteExpiredCredentials(db: Pool): Promise<void> {
  for (const sql of expired) await deleteInBatches(db, sql);
}
