import type { OAuthClient } from "@parley/database";
import type { SignedInUser } from "../sessions/sessions.ts";

/** Checks whether the user may authorize the client: a client of an organization is only for its users. */
export function isAvailableTo(client: OAuthClient, user: SignedInUser): boolean {
  return isRegisteredByOperator(client) || client.organizationId === user.organizationId;
}

/**
 * Checks whether the operator registered the client with its redirect URIs, so that they are trusted (RFC 9700 section
 * 4.11.2).
 */
export function isRegisteredByOperator({ organizationId }: OAuthClient): boolean {
  return organizationId === null;
}
