import { button, card, descriptionList, type Html, html } from "@parley/ui";
import { csrfField } from "../../../oauth/pages/csrf-field.ts";
import type { Page } from "../../../oauth/pages/page.ts";
import { appsAddress, clientAddress, clientsAddress } from "../../addresses.ts";
import type { FlashMessage } from "../../flash-messages.ts";
import { consolePage } from "../../layout/console-page.ts";
import { confirmation, newSecret } from "../../layout/messages.ts";
import { date } from "../../layout/time.ts";
import type { ConsoleSession } from "../../page-requests.ts";
import type { OwnClient } from "../own-clients.ts";
import { nameAndAddresses } from "./name-and-addresses.ts";
import { secretsCard } from "./secrets-card.ts";

/** Renders the page of an app: its properties, redirect URIs and secrets. */
export function clientPage(
  session: ConsoleSession,
  client: OwnClient,
  message: FlashMessage,
  now: Date,
): Page {
  const deletion = html`
<p>The app loses all access that your users gave it.</p>
${button("Delete …", { kind: "danger", href: `${clientAddress(client.id)}?confirm=delete` })}`;
  const content = html`
${confirmation(message)}
${newSecret("Client secret", message)}
${descriptionList([
  ["Client ID", html`<code>${client.id}</code>`],
  ["Type", client.isPublic ? "Browser or device app: no secret, requires PKCE" : "Server app, with a secret"],
  ["Registered", date(client.createdAt)],
])}
${card({ id: "change", title: "Name and redirect URIs", content: changeForm(session, client, message) })}
${!client.isPublic && secretsCard(session, client.secrets, message, now)}
${card({ id: "delete", title: "Delete the app", content: deletion })}`;
  return consolePage(session, { title: client.name, content, section: appsAddress, parents });
}

/** Pages above the page of an app. */
export const parents: [address: string, text: string][] = [[clientsAddress, "Own apps"]];

function changeForm(session: ConsoleSession, client: OwnClient, message: FlashMessage): Html {
  const name = message.typed?.name ?? client.name;
  const redirectUris = message.typed?.redirect_uris ?? client.redirectUris.join("\n");
  return html`
<form class="stack" method="post">
${csrfField(session.csrfToken)}
${nameAndAddresses({ name, redirectUris }, message)}
${button("Save", { action: "update" })}
</form>`;
}
