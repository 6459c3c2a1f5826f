import { eventTypes, requestsPerMinute, type Scope, scopeMeanings, scopeOfEvent } from "@parley/contract";
import type { OAuthClient } from "@parley/database";
import { alert, button, checkList, type Html, html, warning } from "@parley/ui";
import { isRegisteredByOperator } from "../clients/client-owner.ts";
import { describeTarget } from "../clients/redirect-uri.ts";
import { allScopes, divideScopes } from "../scope.ts";
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
  const { granted, withheld } = divideScopes(scopes, user);
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
${
  granted.length > 0 &&
  html`<p id="scopes">${client.name} will be able to:</p>
${checkList(granted.map(meaning), "scopes")}`
}
${
  withheld.length > 0 &&
  warning(
    `Only an admin of ${user.organizationName} can allow: ${withheld.map((scope) => scopeMeanings[scope]).join(", ")}. ${
      granted.length > 0
        ? "The app gets no access to this. If it needs it, ask an admin to connect the app."
        : "Ask an admin to connect the app."
    }`,
  )
}
<p class="quiet">${granted.length > 0 ? "If you allow or deny, you" : "You"} continue to ${describeTarget(redirectUri)}.</p>
<form method="post">
${token}
<div class="choice">
${button(granted.length > 0 ? "Deny" : "Back to the app", { kind: "secondary", action: "deny" })}
${granted.length > 0 && button("Allow", { action: "allow" })}
</div>
</form>`,
  };
}

/** Scopes that the feed requires for events. Webhooks receive these events without them. */
const scopesOfEvents = new Set(eventTypes.map(scopeOfEvent));

/** Returns what a scope allows, in words; for webhooks also what the app can read with them. */
function meaning(scope: Scope): string {
  if (scope !== "webhooks:manage") return scopeMeanings[scope];
  const readable = allScopes
    .filter((other) => scopesOfEvents.has(other))
    .map((other) => scopeMeanings[other].replace(/^R/, "r"));
  return `${scopeMeanings[scope]}. Webhooks receive every change, so the app can also: ${readable.join(", ")}`;
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
