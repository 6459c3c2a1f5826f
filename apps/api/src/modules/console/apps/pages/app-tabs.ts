import { type Html, html, tabs } from "@parley/ui";
import { appsAddress, clientsAddress } from "../../addresses.ts";
import type { ConsoleSession } from "../../page-requests.ts";

/** Renders the navigation between the pages about apps. Members see only their connected apps. */
export function appTabs({ user }: ConsoleSession, current: string): Html {
  if (!user.isAdmin) return html``;
  return tabs("Apps", { [appsAddress]: "Connected apps", [clientsAddress]: "Own apps" }, current);
}
