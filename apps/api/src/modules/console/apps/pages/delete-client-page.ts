import { button, html } from "@parley/ui";
import { csrfField } from "../../../oauth/pages/csrf-field.ts";
import type { Page } from "../../../oauth/pages/page.ts";
import { appsAddress, clientAddress } from "../../addresses.ts";
import { consolePage } from "../../layout/console-page.ts";
import type { ConsoleSession } from "../../page-requests.ts";
import type { OwnClient } from "../own-clients.ts";
import { parents } from "./client-page.ts";
import { type CreatedWebhook, webhookChoice } from "./webhook-choice.ts";

/** Renders the confirmation page for deleting an app. */
export function clientDeletionPage(
  session: ConsoleSession,
  client: OwnClient,
  { users, webhooks }: { users: number; webhooks: CreatedWebhook[] },
): Page {
  const loss =
    users === 0
      ? "No user has given it access."
      : `${users === 1 ? "One user has" : `${users} users have`} given it access, which is revoked immediately.`;
  const content = html`
<p>${loss} This cannot be undone.</p>
<form class="stack" method="post" action="${clientAddress(client.id)}">
${csrfField(session.csrfToken)}
${webhookChoice(webhooks, "webhooks")}
<div class="buttons">
${button("Cancel", { kind: "secondary", href: clientAddress(client.id) })}
${button("Delete", { kind: "danger", action: "delete" })}
</div>
</form>`;
  return consolePage(session, { title: `Delete ${client.name}?`, content, section: appsAddress, parents });
}
