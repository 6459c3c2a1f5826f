import type { AuditEvent } from "@parley/database";

/** Text of each event of the audit log. */
export const eventTexts: Record<AuditEvent, string> = {
  "user.signed_in": "Signed in",
  "user.sign_in_failed": "Sign-in failed",
  "user.sign_in_throttled": "Sign-in rejected after too many failures",
  "user.signed_out": "Signed out",
  "console_link.created": "Console link created",
  "console_link.opened": "Console link opened",
  "consent.granted": "Access allowed",
  "consent.denied": "Access denied",
  "token.issued": "Token issued",
  "token.refreshed": "Token refreshed",
  "token.revoked": "Token revoked",
  "token.reused": "Token or code used twice",
  "grant.revoked": "Access revoked",
  "client.authentication_throttled": "App rejected after too many wrong secrets",
  "client.created": "App registered",
  "client.updated": "App changed",
  "client.secret_rotated": "Secret of an app rotated",
  "client.secret_removed": "Old secret of an app revoked",
  "client.deleted": "App deleted",
  "user.created": "User created",
  "user.password_changed": "Password changed",
  "user.role_changed": "Role changed",
  "user.deleted": "User deleted",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Secret of a webhook rotated",
  "webhook.resumed": "Webhook resumed",
  "signing_key.rotated": "Signing key rotated",
  "deliveries.redelivered": "Deliveries sent again",
  "organization.created": "Organization created",
  "organization.plan_changed": "Plan changed",
  "organization.deleted": "Organization deleted",
  "erasure.requested": "Erasure of a person requested",
  "erasure.completed": "Person erased",
  "counts.repaired": "Counts repaired",
  "database.migrated": "Database migrated",
};

/** Returns the text of an event; the event itself if a newer version recorded it. */
export function eventText(event: string): string {
  return (eventTexts as Record<string, string>)[event] ?? event;
}
