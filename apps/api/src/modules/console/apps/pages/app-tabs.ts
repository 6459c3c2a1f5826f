import { type Html, html, tabs } from "@parley/ui";
import { appsAddress, clientsAddress } from "../../addresses.ts";
import type { ConsoleSession } from "../../page-requests.ts";

/**
 * Renders the navigation between the pages about apps. Members see only their connected apps, and sessions of console links only
 * the apps of the organization.
 */
export function appTabs({ user }: ConsoleSession, current: string): Html {
  if (!user.isAdmin || user.userId === null) return html``;
  return tabs("Apps", { [appsAddress]: "Connected apps", [clientsAddress]: "Own apps" }, current);
}
