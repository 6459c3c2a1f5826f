import { html } from "@parley/ui";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession, PageResponse } from "../account-requests.ts";
import { clientsAddress } from "../addresses.ts";
import { accountPage } from "./account-page.ts";

/** Renders the page for users who may not manage apps. */
export function notAdminPage(session: AccountSession): PageResponse {
  const content = html`
<p>Only admins can register and change the apps of ${session.user.organizationName}. Ask an admin to do it, or to make you an
admin.</p>`;
  return { ...accountPage(session, clientsAddress, "Ask your admin", content), status: 403 };
}

/** Renders the page for an unknown app. It is the same for an app of another organization. */
export function notFoundPage(): Page {
  const title = "App not found";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p>Your organization has no such app. It may have been deleted.</p>
<p><a href="${clientsAddress}">Your organization’s apps</a></p>`,
  };
}
