import { requestsPerMinute, type Scope, scopeMeanings } from "@parley/contract";
import type { OAuthClient } from "@parley/database";
import { alert, button, checkList, type Html, html, warning } from "@parley/ui";
import { isRegisteredByOperator } from "../clients/client-owner.ts";
import { describeTarget } from "../clients/redirect-uri.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { csrfField } from "./csrf-field.ts";
import type { Page } from "./page.ts";

/** Access that a client requests from the user. */
interface ConsentRequest {
  client: OAuthClient;
  redirectUri: string;
  scopes: Scope[];
}

/** Renders the consent page: client, organization, scopes and the redirect's destination, RFC 6749 section 10.2. */
export function consentPage(request: ConsentRequest, user: SignedInUser, csrfToken: string): Page {
  const { client, redirectUri, scopes } = request;
  const token = csrfField(csrfToken);
  return {
    title: `Allow ${client.name}?`,
    formTargets: formTargets(redirectUri),
    content: html`
<h1>${client.name} wants access to ${user.organizationName}</h1>
${account(user, token)}
${!isRegisteredByOperator(client) && html`<p class="quiet">This app was registered by ${user.organizationName}.</p>`}
${
  !hasApiAccess(user) &&
  warning(
    `${user.organizationName} is on the Free plan, which has no API access. The app cannot use its access until the plan is upgraded.`,
  )
}
<p id="scopes">${client.name} will be able to:</p>
${checkList(
  scopes.map((scope) => scopeMeanings[scope]),
  "scopes",
)}
<p class="quiet">If you allow or deny, you continue to ${describeTarget(redirectUri)}.</p>
<form method="post">
${token}
<div class="choice">
${button("Deny", { kind: "secondary", action: "deny" })}
${button("Allow", { action: "allow" })}
</div>
</form>`,
  };
}

/** Checks whether the plan includes API requests. Otherwise the API responds with `plan_required`. */
function hasApiAccess({ plan }: SignedInUser): boolean {
  return plan in requestsPerMinute;
}

/**
 * Returns the CSP `form-action` sources of the consent form. Chromium applies `form-action` to every redirect after a form,
 * including those of the client's callback, so the origin of the redirect URI is not enough. Allowed are all https addresses and
 * the scheme of the redirect URI (http on loopback, or an app's private scheme).
 */
export function formTargets(redirectUri: string): string[] {
  return [...new Set(["https:", new URL(redirectUri).protocol])];
}

/** Renders the page for an app of another organization, on which the user can only switch accounts. */
export function foreignClientPage(client: OAuthClient, user: SignedInUser, csrfToken: string): Page {
  const title = "This app is not for your account";
  return {
    title,
    content: html`
<h1>${title}</h1>
${alert(`${client.name} is only for users of another organization, not for users of ${user.organizationName}. The app received no information about you.`)}
${account(user, csrfField(csrfToken))}`,
  };
}

function account({ name, email }: SignedInUser, token: Html): Html {
  return html`<div class="card">
<p>${name}<br><span class="quiet">${email}</span></p>
<form method="post">${token}${button("Not you? Sign out", { kind: "link", action: "sign_out" })}</form>
</div>`;
}
