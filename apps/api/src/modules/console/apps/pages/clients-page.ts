import type { OAuthClient } from "@parley/database";
import { button, card, cardList, emptyState, html, optionRows } from "@parley/ui";
import { csrfField } from "../../../oauth/pages/csrf-field.ts";
import type { Page } from "../../../oauth/pages/page.ts";
import { appsAddress, clientAddress, clientsAddress } from "../../addresses.ts";
import type { FlashMessage } from "../../flash-messages.ts";
import { consolePage } from "../../layout/console-page.ts";
import { confirmation, problem } from "../../layout/messages.ts";
import type { ConsoleSession } from "../../page-requests.ts";
import { appTabs } from "./app-tabs.ts";
import { nameAndAddresses } from "./name-and-addresses.ts";

/** Renders the list of apps that the organization registered, with the form that registers an app. */
export function clientsPage(session: ConsoleSession, clients: OAuthClient[], message: FlashMessage): Page {
  const { organizationName } = session.user;
  const { name = "", redirect_uris: redirectUris = "", kind = "confidential" } = message.typed ?? {};
  const registration = html`
${problem("organization", message)}
<form class="stack" method="post">
${csrfField(session.csrfToken)}
${nameAndAddresses({ name, redirectUris }, message)}
${optionRows({ legend: "Type of app", name: "kind", selected: kind }, [
  { value: "confidential", label: "It runs on a server", hint: "It gets a client secret." },
  {
    value: "public",
    label: "It runs in a browser or on a device",
    hint: "It gets no secret and must use PKCE.",
  },
])}
${button("Register", { action: "create" })}
</form>`;
  const content = html`
${appTabs(session, clientsAddress)}
${confirmation(message)}
<p class="quiet">Apps that your organization runs itself. Only users of ${organizationName} can give them access.
<a href="/docs/guides/authentication">How an app requests access</a></p>
${clients.length > 0 ? cardList(clients.map(clientCard)) : emptyState("No apps yet.")}
${card({ id: "register", title: "Register an app", content: registration })}`;
  return consolePage(session, { title: "Own apps", content, section: appsAddress });
}

function clientCard({ id, name, isPublic }: OAuthClient) {
  return {
    title: html`<a href="${clientAddress(id)}">${name}</a>`,
    content: html`<p class="quiet">${isPublic ? "Browser or device app" : "Server app"}, <code>${id}</code></p>`,
  };
}
