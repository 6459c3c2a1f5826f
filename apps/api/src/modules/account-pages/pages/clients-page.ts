import type { OAuthClient } from "@parley/database";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";
import { nameAndAddresses, notice, problem } from "./forms.ts";

/** The organization's own apps, and the form to register another. */
export function clientsPage(visitor: Visitor, clients: OAuthClient[], message: FlashMessage): Page {
  const { organizationName } = visitor.user;
  return accountPage(
    visitor,
    clientsAddress,
    `Apps of ${organizationName}`,
    html`
${notice(message)}
<p class="quiet">Apps that your organization runs itself. They can ask the users of ${organizationName} for access, and
nobody else. <a href="/docs/">How an app asks for access</a></p>
${clients.length > 0 ? list(clients) : html`<p>There is none yet.</p>`}
<section class="card" aria-labelledby="register">
<h2 id="register">Register an app</h2>
${problem("organization", message)}
<form method="post">
${csrfField(visitor.csrfToken)}
${nameAndAddresses({ name: message.typed?.name ?? "", redirectUris: message.typed?.redirect_uris ?? "" }, message)}
<fieldset>
<legend>What kind of app it is</legend>
${kind("confidential", "It runs on a server", "It gets a secret.", message.typed?.kind !== "public")}
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
<p class="quiet">${isPublic ? "In a browser or on a device" : "On a server"}, <code>${id}</code></p>
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
