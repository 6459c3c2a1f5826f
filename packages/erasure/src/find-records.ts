import type { Pool } from "pg";
import type { OpenErasure } from "./erasure.ts";
import { containsAny, searchFor } from "./texts.ts";

/** IDs of a person's records. */
export interface FoundRecords {
  leads: string[];
  conversations: string[];
  tickets: string[];
  meetings: string[];
  toolRuns: string[];
}

type Person = Pick<OpenErasure, "organizationId" | "externalId" | "emails">;

/**
 * Finds the records of a person:
 *
 * - leads with the email or the external ID
 * - conversations, tickets and meetings of these leads or with the email
 * - conversations of these tickets that name no one
 * - tool runs whose error contains the email
 *
 * @param most maximum number of records of each kind; of conversations twice as many
 */
export async function findRecords(db: Pool, person: Person, most: number): Promise<FoundRecords> {
  const { organizationId, externalId, emails } = person;
  const select = async (sql: string, ...values: unknown[]) => {
    const { rows } = await db.query<{ id: string }>(sql, [organizationId, most, ...values]);
    return rows.map(({ id }) => id);
  };
  const search = searchFor(emails);
  const { parts, patterns } = search;
  const leads =
    externalId === null
      ? await select(
          `SELECT id FROM leads WHERE organization_id = $1 AND contact_email IS NOT NULL AND lower(contact_email) = ANY ($3)
           LIMIT $2`,
          emails,
        )
      : await select(
          "SELECT id FROM leads WHERE organization_id = $1 AND external_id = $3 LIMIT $2",
          externalId,
        );
  // The OR would prevent PostgreSQL from using the indexes.
  const ofLeadOrEmail = (table: string, column: string) =>
    select(
      `SELECT id FROM ${table} WHERE organization_id = $1 AND lead_id = ANY ($3::uuid[])
       UNION SELECT id FROM ${table} WHERE organization_id = $1 AND ${column} IS NOT NULL AND lower(${column}) = ANY ($4)
       LIMIT $2`,
      leads,
      emails,
    );
  const conversations = await ofLeadOrEmail("conversations", "visitor_email");
  const tickets = await ofLeadOrEmail("tickets", "requester_email");
  // Without a limit of these, because their tickets are removed with them and nothing else leads to them.
  const { rows: ofTickets } = await db.query<{ id: string }>(
    `SELECT id FROM conversations
     WHERE id IN (SELECT conversation_id FROM tickets WHERE id = ANY ($1)) AND lead_id IS NULL AND visitor_email IS NULL`,
    [tickets],
  );
  return {
    leads,
    conversations: [...new Set([...conversations, ...ofTickets.map(({ id }) => id)])],
    tickets,
    meetings: await select(
      `SELECT id FROM meetings WHERE organization_id = $1 AND lead_id = ANY ($3::uuid[])
       UNION SELECT id FROM meetings WHERE organization_id = $1
         AND lower(title || ' ' || jsonb_path_query_array(attendees, '$[*].* ? (@ != null)')::text) LIKE ANY ($5)
         AND EXISTS (SELECT FROM jsonb_array_elements(attendees) AS attendee WHERE lower(attendee ->> 'email') = ANY ($4))
       LIMIT $2`,
      leads,
      emails,
      emails.map((email) => `%${JSON.stringify(email).replaceAll(/[\\%_]/g, "\\$&")}%`),
    ),
    toolRuns:
      emails.length === 0
        ? []
        : await select(
            `SELECT id FROM tool_runs
             WHERE organization_id = $1 AND error IS NOT NULL AND ${containsAny("error", 3, search)} LIMIT $2`,
            parts,
            patterns,
          ),
  };
}

/**
 * Returns the emails of the lead with the external ID, in lower case, without emails of other leads of the organization.
 *
 * @param known emails that were found before, for example before the lead was removed
 */
export async function emailsOfLead(
  db: Pool,
  organizationId: string,
  externalId: string,
  known: string[],
): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `SELECT email FROM (
       SELECT lower(contact_email) AS email FROM leads
       WHERE organization_id = $1 AND external_id = $2 AND contact_email IS NOT NULL
       UNION SELECT unnest($3::text[])) AS emails
     WHERE NOT EXISTS (
       SELECT FROM leads WHERE organization_id = $1 AND contact_email IS NOT NULL AND lower(contact_email) = email
         AND external_id IS DISTINCT FROM $2)`,
    [organizationId, externalId, known],
  );
  return rows.map(({ email }) => email);
}
