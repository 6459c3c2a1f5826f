import { html } from "@parley/ui";
import { appsAddress } from "../../addresses.ts";
import { consolePage } from "../../layout/console-page.ts";
import type { ConsoleSession, PageResponse } from "../../page-requests.ts";

/** Renders the page of connected apps for the session of a console link, which has none. */
export function noConnectedAppsPage(session: ConsoleSession): PageResponse {
  const content = html`
<p>Apps get access from a user who signs in with an email address and a password. You opened the console from your platform, so you have no
connected apps here.</p>`;
  return { ...consolePage(session, { title: "Connected apps", content, section: appsAddress }), status: 403 };
}
