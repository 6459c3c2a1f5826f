import { scopeMeanings } from "@parley/contract";
import { button, cardList, checkList, descriptionList, emptyState, html } from "@parley/ui";
import { csrfField } from "../../../oauth/pages/csrf-field.ts";
import type { Page } from "../../../oauth/pages/page.ts";
import { appsAddress } from "../../addresses.ts";
import type { FlashMessage } from "../../flash-messages.ts";
import { consolePage } from "../../layout/console-page.ts";
import { confirmation } from "../../layout/messages.ts";
import { date, dateAndTime } from "../../layout/time.ts";
import type { ConsoleSession } from "../../page-requests.ts";
import type { ConnectedApp } from "../connected-apps.ts";
import { appTabs } from "./app-tabs.ts";
import { webhookChoice } from "./webhook-choice.ts";

/** Renders the list of apps to which the user gave access, each with a button that revokes the access. */
export function connectedAppsPage(
  session: ConsoleSession,
  apps: ConnectedApp[],
  message: FlashMessage,
): Page {
  const list = html`
<p class="quiet">These apps can use the data of ${session.user.organizationName} in your name.</p>
${cardList(apps.map((app, index) => appCard(session, app, index)))}`;
  const content = html`
${appTabs(session, appsAddress)}
${confirmation(message)}
${apps.length > 0 ? list : emptyState("No app has access to your account. Apps that you allow are listed here.")}`;
  return consolePage(session, { title: "Connected apps", content, section: appsAddress });
}

function appCard(
  session: ConsoleSession,
  { clientId, name, since, lastUsedAt, scopes, webhooks }: ConnectedApp,
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
<form class="stack" method="post">
${csrfField(session.csrfToken)}
<input type="hidden" name="client_id" value="${clientId}">
${webhookChoice(webhooks, `webhooks-${index}`)}
${button("Revoke access", { kind: "danger", action: "revoke", describedBy: id })}
</form>`;
  return { id, title: name, content };
}
