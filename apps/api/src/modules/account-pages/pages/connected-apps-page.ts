import { scopeMeanings } from "@parley/contract";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { appsAddress } from "../addresses.ts";
import type { ConnectedApp } from "../connected-apps.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { accountPage } from "./account-page.ts";
import { notice } from "./forms.ts";
import { date, dateAndTime } from "./time.ts";

/** Renders the list of apps to which the user gave access, each with a button that revokes the access. */
export function connectedAppsPage(
  session: AccountSession,
  apps: ConnectedApp[],
  message: FlashMessage,
): Page {
  const { organizationName } = session.user;
  const text =
    apps.length > 0 ? html`These apps can use the data of ${organizationName} in your name.` : empty;
  return accountPage(
    session,
    appsAddress,
    "Connected apps",
    html`
${notice(message)}
<p class="quiet">${text}</p>
${apps.length > 0 && html`<ul class="cards">${apps.map((app, index) => card(session, app, index))}</ul>`}`,
  );
}

const empty = html`No app has access to your account. Apps that you allow are listed here.`;

function card(
  session: AccountSession,
  { clientId, name, since, lastUsedAt, scopes }: ConnectedApp,
  index: number,
): Html {
  return html`
<li class="card">
<h2 id="app-${index}">${name}</h2>
<dl>
<div><dt>Has access since</dt><dd>${date(since)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt ? dateAndTime(lastUsedAt) : "never"}</dd></div>
</dl>
<p id="scopes-${index}">It can:</p>
<ul class="scopes" aria-labelledby="scopes-${index}">${scopes.map((scope) => html`<li>${scopeMeanings[scope]}</li>`)}</ul>
<form method="post">
${csrfField(session.csrfToken)}
<input type="hidden" name="client_id" value="${clientId}">
<button class="danger" name="action" value="revoke" aria-describedby="app-${index}">Revoke access</button>
</form>
</li>`;
}
