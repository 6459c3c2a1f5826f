import type { AuditEntry, Position } from "@parley/database";
import { type Content, emptyState, field, filterForm, html, pager, table } from "@parley/ui";
import type { OperationRequest } from "../../../http/handlers.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { auditLogAddress } from "../addresses.ts";
import { consolePage } from "../layout/console-page.ts";
import { pageLinks } from "../layout/cursor.ts";
import { logTime } from "../layout/time.ts";
import type { ConsoleSession } from "../page-requests.ts";
import { eventText, eventTexts } from "./event-texts.ts";

type Query = OperationRequest<"showAuditLog">["query"];

interface AuditLog {
  entries: AuditEntry[];
  /** Where the next page begins; null on the last. */
  next: Position | null;
  /** Users of the organization by ID. Deleted users are missing. */
  users: Map<string, { name: string; email: string }>;
  /** Names of clients by ID. Deleted clients are missing. */
  clientNames: Map<string, string>;
}

/** Renders the audit log. */
export function auditLogPage(session: ConsoleSession, query: Query, log: AuditLog): Page {
  const options = { "": "All", ...eventTexts };
  const filters = filterForm({ label: "Filter the audit log", clear: auditLogAddress }, [
    field({ label: "Entry", name: "event", value: query.event ?? "", options }),
  ]);
  const rows = log.entries.map((entry) => row(entry, log));
  const content = html`
<p class="quiet">Sign-ins, and changes of users, apps, access and webhooks. The operator of the server sets how long entries are kept.</p>
${filters}
${
  rows.length > 0
    ? table("Audit log, newest first", ["Time", "Entry", "User", "App", "Address", "Details"], rows)
    : emptyState("No entry matches.")
}
${pager(pageLinks(auditLogAddress, query, log.next))}`;
  return consolePage(session, { title: "Audit log", content, section: auditLogAddress });
}

function row(entry: AuditEntry, { users, clientNames }: AuditLog): Content[] {
  const { createdAt, event, userId, clientId, address, details } = entry;
  const user = userId === null ? undefined : users.get(userId);
  return [
    logTime(createdAt),
    html`${eventText(event)}<br><code class="quiet">${event}</code>`,
    user
      ? html`<bdi>${user.name}</bdi><br><span class="quiet">${user.email}</span>`
      : (userId ?? platformUser(details)),
    clientId === null ? "–" : html`<bdi>${clientNames.get(clientId) ?? clientId}</bdi>`,
    address ?? "–",
    detailText(details),
  ];
}

/** Renders the person who opened the console with a link, from the details of an entry. */
function platformUser(details: AuditEntry["details"]): Content {
  const { platform_user: person } = (details ?? {}) as {
    platform_user?: { name: string; external_id: string | null };
  };
  if (!person) return "–";
  return html`<bdi>${person.name}</bdi>${person.external_id !== null && html`<br><span class="quiet"><bdi>${person.external_id}</bdi></span>`}`;
}

/** Returns the details as text. They contain no secrets. */
function detailText(details: AuditEntry["details"]): Content {
  const entries = Object.entries(details ?? {}).filter(([name]) => name !== "platform_user");
  if (entries.length === 0) return "–";
  return html`${entries.map(
    ([name, value]) =>
      html`<div><span class="quiet">${name}</span> <bdi>${typeof value === "string" ? value : JSON.stringify(value)}</bdi></div>`,
  )}`;
}
