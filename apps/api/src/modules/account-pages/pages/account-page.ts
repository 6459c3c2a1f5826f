import { button, type Html, html, tabs } from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { appsAddress, clientsAddress } from "../addresses.ts";

/** Renders an account page with navigation, the signed-in user and the sign-out button. */
export function accountPage(
  { user, csrfToken }: AccountSession,
  current: string,
  title: string,
  content: Html,
): Page {
  const links = { [appsAddress]: "Connected apps", ...(user.isAdmin && { [clientsAddress]: "Own apps" }) };
  return {
    title,
    wide: true,
    header: tabs("Account", links, current),
    content: html`<h1>${title}</h1>${content}`,
    footer: html`
<p class="quiet">Signed in as ${user.name} (${user.email}), ${user.organizationName}</p>
<form method="post">${csrfField(csrfToken)}${button("Sign out", { kind: "link", action: "sign_out" })}</form>`,
  };
}
