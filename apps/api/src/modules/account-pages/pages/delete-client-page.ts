import { csrfField, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { clientAddress, clientsAddress } from "../addresses.ts";
import type { OwnClient } from "../own-clients.ts";
import type { Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";

/** Asks whether an app is really to be deleted. */
export function deleteClientPage(visitor: Visitor, client: OwnClient, users: number): Page {
  const loss =
    users === 0
      ? "No user gave it access so far."
      : `${users === 1 ? "One user" : `${users} users`} gave it access, which ends at once.`;
  return accountPage(
    visitor,
    clientsAddress,
    `Delete ${client.name}?`,
    html`
<p>${loss} This cannot be undone.</p>
<form method="post" action="${clientAddress(client.id)}">
${csrfField(visitor.csrfToken)}
<div class="choice">
<a class="button secondary" href="${clientAddress(client.id)}">Keep it</a>
<button class="danger" name="action" value="delete">Delete</button>
</div>
</form>`,
  );
}
