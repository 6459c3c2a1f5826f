import type { OAuthClient } from "@parley/database";
import { ApiError } from "../../http/api-error.ts";
import type { SignedInUser } from "./sessions.ts";

/** Whether the user may give the app access: an organization's own app is for its own users alone. */
export function isForUser({ organizationId }: OAuthClient, user: SignedInUser): boolean {
  return organizationId === null || organizationId === user.organizationId;
}

/** For the user alone to read: the app is told nothing, not even that the user exists. */
export function foreignClient({ name }: OAuthClient): ApiError {
  return new ApiError(403, "invalid_client", `${name} is for the users of another organization.`);
}
