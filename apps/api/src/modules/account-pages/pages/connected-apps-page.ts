import { scopeMeanings } from "@parley/contract";
import { button, cardList, checkList, descriptionList, emptyState, html } from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { appsAddress } from "../addresses.ts";
import type { ConnectedApp } from "../connected-apps.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { accountPage } from "./account-page.ts";
import { confirmation } from "./forms.ts";
import { date, dateAndTime } from "./time.ts";

/** Renders the list of apps to which the user gave access, each with a button that revokes the access. */
export function connectedAppsPage(
  session: AccountSession,
  apps: ConnectedApp[],
  message: FlashMessage,
): Page {
  const list = html`
<p class="quiet">These apps can use the data of ${session.user.organizationName} in your name.</p>
${cardList(apps.map((app, index) => appCard(session, app, index)))}`;
  return accountPage(
    session,
    appsAddress,
    "Connected apps",
    html`
${confirmation(message)}
${apps.length > 0 ? list : emptyState("No app has access to your account. Apps that you allow are listed here.")}`,
  );
}

function appCard(
  session: AccountSession,
  { clientId, name, since, lastUsedAt, scopes }: ConnectedApp,
  index: number,
) {
  const id = `app-${index}`;
  const content = html`
${descriptionList([
  ["Has access since", date(since)],
  ["Last used", lastUsedAt ? dateAndTime(lastUsedAt) : "never"],
])}
<p id="scopes-${index}">It can:</p>
${checkList(
  scopes.map((scope) => scopeMeanings[scope]),
  `scopes-${index}`,
)}
<form method="post">
${csrfField(session.csrfToken)}
<input type="hidden" name="client_id" value="${clientId}">
${button("Revoke access", { kind: "danger", action: "revoke", describedBy: id })}
</form>`;
  return { id, title: name, content };
}
