import { button, card, descriptionList, type Html, html } from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { OwnClient } from "../own-clients.ts";
import { accountPage } from "./account-page.ts";
import { confirmation, nameAndAddresses, newSecret } from "./forms.ts";
import { secretsCard } from "./secrets-card.ts";
import { date } from "./time.ts";

/** Renders the page of an app: its properties, redirect URIs and secrets. */
export function clientPage(
  session: AccountSession,
  client: OwnClient,
  message: FlashMessage,
  now: Date,
): Page {
  const deletion = html`
<p>The app loses all access that your users gave it.</p>
${button("Delete …", { kind: "danger", href: `${clientAddress(client.id)}?confirm=delete` })}`;
  return accountPage(
    session,
    clientsAddress,
    client.name,
    html`
${confirmation(message)}
${newSecret(message)}
${descriptionList([
  ["Client ID", html`<code>${client.id}</code>`],
  ["Type", client.isPublic ? "Browser or device app: no secret, requires PKCE" : "Server app, with a secret"],
  ["Registered", date(client.createdAt)],
])}
${card({ id: "change", title: "Name and redirect URIs", content: changeForm(session, client, message) })}
${!client.isPublic && secretsCard(session, client.secrets, message, now)}
${card({ id: "delete", title: "Delete the app", content: deletion })}
<p><a href="${clientsAddress}">All apps of ${session.user.organizationName}</a></p>`,
  );
}

function changeForm(session: AccountSession, client: OwnClient, message: FlashMessage): Html {
  const name = message.typed?.name ?? client.name;
  const redirectUris = message.typed?.redirect_uris ?? client.redirectUris.join("\n");
  return html`
<form class="stack" method="post">
${csrfField(session.csrfToken)}
${nameAndAddresses({ name, redirectUris }, message)}
${button("Save", { action: "update" })}
</form>`;
}
