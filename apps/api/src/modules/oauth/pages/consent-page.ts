import { requestsPerMinute, type Scope, scopeMeanings } from "@parley/contract";
import type { OAuthClient } from "@parley/database";
import { isRegisteredByOperator } from "../clients/client-owner.ts";
import { describeTarget } from "../clients/redirect-uri.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { formTargets } from "./form-targets.ts";
import { html } from "./html.ts";
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
  const token = html`<input type="hidden" name="csrf_token" value="${csrfToken}">`;
  return {
    title: `Allow ${client.name}?`,
    formTargets: formTargets(redirectUri),
    content: html`
<h1>${client.name} wants access to ${user.organizationName}</h1>
<div class="account">
<p>${user.name}</p>
<p class="quiet">${user.email}</p>
<form method="post">${token}<button class="link" name="action" value="sign_out">Not you? Sign out</button></form>
</div>
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
