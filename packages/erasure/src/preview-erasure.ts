import type { Pool } from "pg";
import { completeReport, type Report, type Subject } from "./erasure.ts";
import { emailsOfLead, findRecords } from "./find-records.ts";
import { containsAny, leadIn, searchFor } from "./texts.ts";

const most = 1_000_000;

/** Counts what an erasure would remove, without stored responses and entries of logs. Reads all events of the organization. */
export async function previewErasure(db: Pool, organizationId: string, subject: Subject): Promise<Report> {
  const externalId = "external_id" in subject ? subject.external_id : null;
  const emails =
    "email" in subject
      ? [await lower(db, subject.email)]
      : await emailsOfLead(db, organizationId, subject.external_id, []);
  const found = await findRecords(db, { organizationId, externalId, emails }, most);
  const search = searchFor(emails);
  const { parts, patterns } = search;
  const count = async (sql: string, ...values: unknown[]) => {
    const { rows } = await db.query<{ count: number }>(sql, values);
    return rows[0]?.count ?? 0;
  };
  const { leads, conversations, tickets, meetings, toolRuns } = found;
  const unnamed = "conversation_id = ANY ($1) AND lead_id IS NULL AND requester_email IS NULL";
  return completeReport({
    leads: leads.length,
    conversations: conversations.length,
    messages: await count(
      "SELECT count(*)::int FROM messages WHERE conversation_id = ANY ($1)",
      conversations,
    ),
    message_feedback: await count(
      "SELECT count(*)::int FROM message_feedback WHERE conversation_id = ANY ($1)",
      conversations,
    ),
    tickets: await count(
      `SELECT count(*)::int FROM tickets WHERE id = ANY ($2) OR (${unnamed})`,
      conversations,
      tickets,
    ),
    meetings: meetings.length,
    tool_runs: await count(
      "SELECT count(*)::int FROM tool_runs WHERE id = ANY ($2) OR conversation_id = ANY ($1)",
      conversations,
      toolRuns,
    ),
    events: await count(
      `SELECT count(*)::int FROM events
       WHERE organization_id = $1 AND (record_id = ANY ($2) OR ${leadIn("body")} = ANY ($5) OR ${containsAny("body", 3, search)})`,
      organizationId,
      [...leads, ...conversations, ...tickets, ...meetings, ...toolRuns],
      parts,
      patterns,
      leads,
    ),
  });
}

/** Emails are compared as PostgreSQL converts them to lower case. */
async function lower(db: Pool, email: string): Promise<string> {
  const { rows } = await db.query<{ email: string }>("SELECT lower($1) AS email", [email]);
  return rows[0]?.email ?? email;
}
