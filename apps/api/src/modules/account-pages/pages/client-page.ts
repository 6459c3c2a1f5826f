import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { OwnClient } from "../own-clients.ts";
import { accountPage } from "./account-page.ts";
import { nameAndAddresses, newSecret, notice } from "./forms.ts";
import { secretsSection } from "./secrets-section.ts";
import { date } from "./time.ts";

/** Renders the page of an app: its properties, redirect URIs and secrets. */
export function clientPage(
  session: AccountSession,
  client: OwnClient,
  message: FlashMessage,
  now: Date,
): Page {
  return accountPage(
    session,
    clientsAddress,
    client.name,
    html`
${notice(message)}
${newSecret(message)}
<dl>
<div><dt>Client ID</dt><dd><code>${client.id}</code></dd></div>
<div><dt>Type</dt><dd>${client.isPublic ? "Browser or device app: no secret, requires PKCE" : "Server app, with a secret"}</dd></div>
<div><dt>Registered</dt><dd>${date(client.createdAt)}</dd></div>
</dl>
${changeSection(session, client, message)}
${!client.isPublic && secretsSection(session, client.secrets, message, now)}
<section class="card" aria-labelledby="delete">
<h2 id="delete">Delete the app</h2>
<p>The app loses all access that your users gave it.</p>
<p><a class="button danger" href="${clientAddress(client.id)}?confirm=delete">Delete …</a></p>
</section>
<p><a href="${clientsAddress}">All apps of ${session.user.organizationName}</a></p>`,
  );
}

function changeSection(session: AccountSession, client: OwnClient, message: FlashMessage): Html {
  const name = message.typed?.name ?? client.name;
  const redirectUris = message.typed?.redirect_uris ?? client.redirectUris.join("\n");
  return html`
<section class="card" aria-labelledby="change">
<h2 id="change">Name and redirect URIs</h2>
<form method="post">
${csrfField(session.csrfToken)}
${nameAndAddresses({ name, redirectUris }, message)}
<button class="primary" name="action" value="update">Save</button>
</form>
</section>`;
}
