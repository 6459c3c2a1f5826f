import type { OAuthClient } from "@parley/database";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { accountPage } from "./account-page.ts";
import { nameAndAddresses, notice, problem } from "./forms.ts";

/** Renders the list of apps that the organization registered, with the form that registers an app. */
export function clientsPage(session: AccountSession, clients: OAuthClient[], message: FlashMessage): Page {
  const { organizationName } = session.user;
  return accountPage(
    session,
    clientsAddress,
    `Apps of ${organizationName}`,
    html`
${notice(message)}
<p class="quiet">Apps that your organization runs itself. Only users of ${organizationName} can give them access.
<a href="/docs/">How an app requests access</a></p>
${clients.length > 0 ? list(clients) : html`<p>No apps yet.</p>`}
<section class="card" aria-labelledby="register">
<h2 id="register">Register an app</h2>
${problem("organization", message)}
<form method="post">
${csrfField(session.csrfToken)}
${nameAndAddresses({ name: message.typed?.name ?? "", redirectUris: message.typed?.redirect_uris ?? "" }, message)}
<fieldset>
<legend>Type of app</legend>
${kind("confidential", "It runs on a server", "It gets a client secret.", message.typed?.kind !== "public")}
${kind("public", "It runs in a browser or on a device", "It gets no secret and must use PKCE.", message.typed?.kind === "public")}
</fieldset>
<button class="primary" name="action" value="create">Register</button>
</form>
</section>`,
  );
}

function list(clients: OAuthClient[]): Html {
  return html`<ul class="cards">${clients.map(
    ({ id, name, isPublic }) => html`
<li class="card">
<h2><a href="${clientAddress(id)}">${name}</a></h2>
<p class="quiet">${isPublic ? "Browser or device app" : "Server app"}, <code>${id}</code></p>
</li>`,
  )}</ul>`;
}

function kind(value: string, label: string, hint: string, checked: boolean): Html {
  return html`
<div class="option">
<input type="radio" id="${value}" name="kind" value="${value}" aria-describedby="${value}-hint"${checked && html` checked`}>
<label for="${value}">${label}</label>
<p class="hint" id="${value}-hint">${hint}</p>
</div>`;
}
