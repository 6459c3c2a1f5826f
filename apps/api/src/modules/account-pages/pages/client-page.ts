import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { OwnClient } from "../own-clients.ts";
import type { Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";
import { nameAndAddresses, newSecret, notice } from "./forms.ts";
import { secretsSection } from "./secrets-section.ts";
import { date } from "./time.ts";

/** One app: what it is, its addresses, its secrets. */
export function clientPage(visitor: Visitor, client: OwnClient, message: FlashMessage, now: Date): Page {
  return accountPage(
    visitor,
    clientsAddress,
    client.name,
    html`
${notice(message)}
${newSecret(message)}
<dl>
<div><dt>Client ID</dt><dd><code>${client.id}</code></dd></div>
<div><dt>Kind</dt><dd>${client.isPublic ? "In a browser or on a device: no secret, PKCE" : "On a server, with a secret"}</dd></div>
<div><dt>Registered</dt><dd>${date(client.createdAt)}</dd></div>
</dl>
${changeSection(visitor, client, message)}
${!client.isPublic && secretsSection(visitor, client.secrets, message, now)}
<section class="card" aria-labelledby="delete">
<h2 id="delete">Delete the app</h2>
<p>Every access that your users gave it ends.</p>
<p><a class="button danger" href="${clientAddress(client.id)}?confirm=delete">Delete …</a></p>
</section>
<p><a href="${clientsAddress}">All apps of ${visitor.user.organizationName}</a></p>`,
  );
}

function changeSection(visitor: Visitor, client: OwnClient, message: FlashMessage): Html {
  const name = message.typed?.name ?? client.name;
  const redirectUris = message.typed?.redirect_uris ?? client.redirectUris.join("\n");
  return html`
<section class="card" aria-labelledby="change">
<h2 id="change">Name and addresses</h2>
<form method="post">
${csrfField(visitor.csrfToken)}
${nameAndAddresses({ name, redirectUris }, message)}
<button class="primary" name="action" value="update">Save</button>
</form>
</section>`;
}
