import type { Pool } from "pg";
import { deleteInBatches } from "./delete-in-batches.ts";

/** In this order: a grant goes when nothing is left of it. */
const expired = [
  // A code that is used again revokes what it gave; whoever finds one in a log finds it soon.
  `DELETE FROM oauth_authorization_codes WHERE code_hash IN (
     SELECT code_hash FROM oauth_authorization_codes WHERE expires_at < now() - interval '1 day'
     LIMIT $1 FOR UPDATE SKIP LOCKED)`,

  `DELETE FROM oauth_tokens WHERE token_hash IN (
     SELECT token_hash FROM oauth_tokens WHERE kind = 'access' AND expires_at < now()
     LIMIT $1 FOR UPDATE SKIP LOCKED)`,

  // An exchanged refresh token that comes back is stolen, or its successor is. As long as one of these lives, an owner who
  // was away for a month must still find that out; after another month there is nobody to wait for.
  `DELETE FROM oauth_tokens WHERE token_hash IN (
     SELECT token_hash FROM oauth_tokens old WHERE kind = 'refresh' AND expires_at < now() AND (
       rotated_at IS NULL OR expires_at < now() - interval '30 days' OR NOT EXISTS (
         SELECT 1 FROM oauth_tokens alive JOIN oauth_grants g ON g.id = alive.grant_id
         WHERE alive.grant_id = old.grant_id AND alive.expires_at > now() AND g.revoked_at IS NULL))
     LIMIT $1 FOR UPDATE SKIP LOCKED)`,

  `DELETE FROM user_sessions WHERE token_hash IN (
     SELECT token_hash FROM user_sessions WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,

  `DELETE FROM oauth_client_secrets WHERE secret_hash IN (
     SELECT secret_hash FROM oauth_client_secrets WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,

  // Also consents whose code nobody exchanged, and those that nobody refreshed any more.
  `DELETE FROM oauth_grants WHERE id IN (
     SELECT id FROM oauth_grants g
     WHERE coalesce(revoked_at, last_used_at, created_at) < now() - interval '30 days'
       AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = g.id)
       AND NOT EXISTS (SELECT 1 FROM oauth_authorization_codes WHERE grant_id = g.id)
     LIMIT $1 FOR UPDATE SKIP LOCKED)`,
];

/** Removes codes, tokens, sessions, client secrets and grants that neither work nor tell of theft any more. */
export async function forgetCredentials(db: Pool): Promise<void> {
  for (const sql of expired) await deleteInBatches(db, sql);
}
