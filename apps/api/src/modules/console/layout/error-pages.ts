import { html } from "@parley/ui";
import type { Message } from "../../oauth/pages/error-page.ts";
import { overviewAddress } from "../addresses.ts";
import type { ConsoleSession, PageResponse } from "../page-requests.ts";
import { consolePage } from "./console-page.ts";

/**
 * Renders the page for users who may not see a page.
 *
 * @param what what only admins can do, for example `register and change apps`
 */
export function notAdminPage(session: ConsoleSession, what: string): PageResponse {
  const content = html`
<p>Only admins of ${session.user.organizationName} can ${what}. Ask an admin to do it, or to make you an admin.</p>`;
  return { ...consolePage(session, { title: "Ask your admin", content, section: "" }), status: 403 };
}

/** Message about an unknown record. It is the same for a record of another organization. */
export const notFoundMessage: Message = {
  title: "Not found",
  content: html`
<p>This page does not exist, or your organization has no such record. A record may have been deleted, or may be older than the log.</p>
<p><a href="${overviewAddress}">Open the console</a></p>`,
};
