import { button, type Content, type Html, html, tabs } from "@parley/ui";
import { csrfField } from "../../oauth/pages/csrf-field.ts";
import type { Page } from "../../oauth/pages/page.ts";
import {
  appsAddress,
  auditLogAddress,
  clientsAddress,
  deliveriesAddress,
  eventsAddress,
  eventTypesAddress,
  overviewAddress,
  requestsAddress,
  sessionAddress,
  usageAddress,
  webhooksAddress,
} from "../addresses.ts";
import { consoleScript } from "../browser/script.ts";
import type { ConsoleSession } from "../page-requests.ts";

/** Page above another one. */
type Parent = [address: string, text: string];

interface ConsolePage {
  title: string;
  content: Html;
  /** Address of the section that the page belongs to. */
  section: string;
  /** Shown above the title: the way from the section to the page. */
  parents?: Parent[];
  /** Shown as the heading instead of the title. */
  heading?: Content;
}

/** Renders a page of the console with navigation, the signed-in user and the sign-out button. */
export function consolePage(
  { user, csrfToken }: ConsoleSession,
  { title, heading = title, content, section, parents = [] }: ConsolePage,
): Page {
  // The session of a console link has no connected apps, only apps that admins register.
  const apps = user.userId === null ? clientsAddress : appsAddress;
  const links = {
    [overviewAddress]: "Overview",
    [webhooksAddress]: "Webhooks",
    [deliveriesAddress]: "Deliveries",
    [eventsAddress]: "Events",
    [eventTypesAddress]: "Event types",
    [requestsAddress]: "API requests",
    ...((user.userId !== null || user.isAdmin) && { [apps]: "Apps" }),
    ...(user.isAdmin && { [auditLogAddress]: "Audit log" }),
    [usageAddress]: "Plan and usage",
  };
  return {
    title,
    wide: true,
    script: consoleScript,
    header: html`<div class="account">
<p class="quiet"><bdi>${user.name}</bdi>, <bdi>${user.organizationName}</bdi></p>
<form method="post" action="${sessionAddress}">${csrfField(csrfToken)}${button("Sign out", { kind: "link", action: "sign_out" })}</form>
</div>`,
    navigation: tabs("Console", links, section === appsAddress ? apps : section),
    content: html`
${parents.length > 0 && breadcrumbs(parents)}
<h1>${heading}</h1>
${content}`,
    footer: html`<p class="quiet">Times are in UTC. <a href="/docs/">Documentation</a></p>`,
  };
}

function breadcrumbs(parents: Parent[]): Html {
  const links = parents.map(
    ([address, text], index) => html`${index > 0 && " › "}<a href="${address}"><bdi>${text}</bdi></a>`,
  );
  return html`<nav class="parents" aria-label="Above this page">${links}</nav>`;
}
