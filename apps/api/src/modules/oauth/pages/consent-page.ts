import { requestsPerMinute, type Scope, scopeMeanings } from "@parley/contract";
import type { OAuthClient } from "@parley/database";
import { isRegisteredByOperator } from "../clients/client-owner.ts";
import { describeTarget } from "../clients/redirect-uri.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { csrfField, type Html, html } from "./html.ts";
import type { Page } from "./page.ts";

/** What a client requests of the user. */
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
${!isRegisteredByOperator(client) && html`<p class="quiet">${user.organizationName} registered this app itself.</p>`}
${!hasApiAccess(user) && html`<p class="alert">${user.organizationName} is on the Free plan, which has no API access: the app can do none of this until the plan is another one.</p>`}
<p id="scopes">${client.name} will be able to:</p>
<ul class="scopes" aria-labelledby="scopes">${scopes.map((scope) => html`<li>${scopeMeanings[scope]}</li>`)}</ul>
<p class="quiet">Either way you go on to ${describeTarget(redirectUri)}.</p>
<form method="post">
${token}
<div class="choice">
<button class="secondary" name="action" value="deny">Deny</button>
<button class="primary" name="action" value="allow">Allow</button>
</div>
</form>`,
  };
}

/** As the API answers: a plan without requests is told `plan_required`. */
function hasApiAccess({ plan }: SignedInUser): boolean {
  return plan in requestsPerMinute;
}

/**
 * Where the answer to the consent form may lead, as CSP sources. Chromium applies `form-action` to every redirect that
 * follows a form, also to those that the client's callback makes itself, so the origin of the redirect URI is not
 * enough: any https address will do, and the redirect URI's own scheme (http on loopback, or an app's private one).
 */
export function formTargets(redirectUri: string): string[] {
  return [...new Set(["https:", new URL(redirectUri).protocol])];
}

/** Another organization's own app asked: there is nothing to agree to, but somebody else may sign in. */
export function foreignClientPage(client: OAuthClient, user: SignedInUser, csrfToken: string): Page {
  const title = "This app is not for your account";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p role="alert">${client.name} is for the users of another organization than ${user.organizationName}. It was told nothing.</p>
${account(user, csrfField(csrfToken))}`,
  };
}

function account({ name, email }: SignedInUser, token: Html): Html {
  return html`<div class="account">
<p>${name}</p>
<p class="quiet">${email}</p>
<form method="post">${token}<button class="link" name="action" value="sign_out">Not you? Sign out</button></form>
</div>`;
}
