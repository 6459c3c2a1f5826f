import { scopeMeanings } from "@parley/contract";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { appsAddress } from "../addresses.ts";
import type { ConnectedApp } from "../connected-apps.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";
import { notice } from "./forms.ts";
import { date, dateAndTime } from "./time.ts";

/** Which apps may act in the visitor's name, each with a button that ends it. */
export function connectedAppsPage(visitor: Visitor, apps: ConnectedApp[], message: FlashMessage): Page {
  const { organizationName } = visitor.user;
  const words =
    apps.length > 0 ? html`These apps can use the data of ${organizationName} in your name.` : empty;
  return accountPage(
    visitor,
    appsAddress,
    "Connected apps",
    html`
${notice(message)}
<p class="quiet">${words}</p>
${apps.length > 0 && html`<ul class="cards">${apps.map((app, index) => card(visitor, app, index))}</ul>`}`,
  );
}

const empty = html`No app has access to your account. Once you allow one, it is listed here.`;

function card(
  visitor: Visitor,
  { clientId, name, since, lastUsedAt, scopes }: ConnectedApp,
  index: number,
): Html {
  return html`
<li class="card">
<h2 id="app-${index}">${name}</h2>
<dl>
<div><dt>Has access since</dt><dd>${date(since)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt ? dateAndTime(lastUsedAt) : "not yet"}</dd></div>
</dl>
<p id="scopes-${index}">It can:</p>
<ul class="scopes" aria-labelledby="scopes-${index}">${scopes.map((scope) => html`<li>${scopeMeanings[scope]}</li>`)}</ul>
<form method="post">
${csrfField(visitor.csrfToken)}
<input type="hidden" name="client_id" value="${clientId}">
<button class="danger" name="action" value="revoke" aria-describedby="app-${index}">Revoke access</button>
</form>
</li>`;
}
