import { requestsPerMinute } from "@parley/contract";
import { type Html, html, warning } from "@parley/ui";
import { ApiError } from "../../../http/api-error.ts";
import { usageAddress } from "../addresses.ts";
import { type ConsoleSession, requireAllowed } from "../page-requests.ts";

function hasAccess({ user }: ConsoleSession): boolean {
  return user.plan in requestsPerMinute;
}

/** Checks whether the person may change webhooks: the role of the person and the plan of the organization allow it. */
export function canChange(session: ConsoleSession): boolean {
  return session.user.managesWebhooks && hasAccess(session);
}

/** Renders a warning if the plan of the organization has no access to the API. */
export function planWarning(session: ConsoleSession): Html {
  if (hasAccess(session)) return html``;
  return warning(
    html`Your plan has no API access, so webhooks cannot be created or changed. <a href="${usageAddress}">Plan and usage</a>`,
  );
}

/**
 * Requires a role that allows webhooks and a plan with access to the API, as the API does.
 *
 * @throws ApiError 403
 */
export function requireChanges(session: ConsoleSession): void {
  requireAllowed(session.user.managesWebhooks);
  if (!hasAccess(session)) {
    throw new ApiError(403, "plan_required", "API access requires the Starter plan or higher.");
  }
}
