import { html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { clientsAddress } from "../addresses.ts";
import type { Answer, Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";

/** Told to users who may not register apps. */
export function notAdminPage(visitor: Visitor): Answer {
  const content = html`
<p>Only an admin can register and change the apps of ${visitor.user.organizationName}. Ask yours to do it, or to make you an
admin.</p>`;
  return { ...accountPage(visitor, clientsAddress, "Ask your admin", content), status: 403 };
}

/** The same for what never was and for what is another organization's. */
export function notFoundPage(): Page {
  const title = "Nothing is here";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p>Your organization has no such app. Perhaps it was deleted.</p>
<p><a href="${clientsAddress}">Your organization’s apps</a></p>`,
  };
}
