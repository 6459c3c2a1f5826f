import type { OAuthClient } from "@parley/database";
import { ApiError } from "../../../http/api-error.ts";
import type { SignedInUser } from "../sessions/sessions.ts";

/** Whether the user may give the app access: an organization's own app is for its own users alone. */
export function isForUser(client: OAuthClient, user: SignedInUser): boolean {
  return isOperators(client) || client.organizationId === user.organizationId;
}

/** Whether it was the operator who registered the app, and with it the addresses that browsers are sent to. */
export function isOperators({ organizationId }: OAuthClient): boolean {
  return organizationId === null;
}

/** For the user alone to read: the app is told nothing, not even that the user exists. */
export function foreignClient({ name }: OAuthClient): ApiError {
  return new ApiError(403, "invalid_client", `${name} is for the users of another organization.`);
}
