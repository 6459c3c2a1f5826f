import type { Pool, PoolClient } from "pg";
import type { OpenErasure, Report } from "./erasure.ts";
import type { FoundRecords } from "./find-records.ts";
import { addToReport, inTransaction, keepIds } from "./transaction.ts";

/** Records in one transaction. */
const batch = 50;

/**
 * Removes records with what belongs to them, in short transactions. Leads are last, because the others are found by their lead.
 *
 * @returns number of removed records
 */
export async function removeRecords(db: Pool, erasure: OpenErasure, found: FoundRecords): Promise<number> {
  const { id } = erasure;
  let removed = 0;
  const steps: [string[], (tx: PoolClient, ids: string[]) => Promise<Removed>][] = [
    [found.conversations, removeConversations],
    [found.tickets, (tx, ids) => removeFrom(tx, "tickets", ids)],
    [found.meetings, (tx, ids) => removeFrom(tx, "meetings", ids)],
    [found.toolRuns, (tx, ids) => removeFrom(tx, "tool_runs", ids)],
    [found.leads, removeLeads],
  ];
  for (const [ids, remove] of steps) {
    for (let from = 0; from < ids.length; from += batch) {
      removed += await inTransaction(db, erasure, async (tx) => {
        const { kept, counts } = await remove(tx, ids.slice(from, from + batch));
        if (kept.length === 0) return 0;
        await keepIds(tx, id, kept, false);
        await addToReport(tx, id, counts);
        return kept.length;
      });
    }
  }
  return removed;
}

interface Removed {
  /** IDs of records that events refer to. */
  kept: string[];
  counts: Partial<Report>;
}

/**
 * Removes conversations with their messages, feedback, tool runs, and tickets that name no other person. While the conversations are
 * locked, no other transaction can add records that refer to them.
 */
async function removeConversations(tx: PoolClient, ids: string[]): Promise<Removed> {
  await tx.query("SELECT 1 FROM conversations WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [ids]);
  const feedback = await tx.query("DELETE FROM message_feedback WHERE conversation_id = ANY ($1)", [ids]);
  const messages = await tx.query("DELETE FROM messages WHERE conversation_id = ANY ($1)", [ids]);
  const toolRuns = await deleted(tx, "tool_runs", "conversation_id = ANY ($1)", ids);
  const unnamed = "conversation_id = ANY ($1) AND lead_id IS NULL AND requester_email IS NULL";
  const tickets = await deleted(tx, "tickets", unnamed, ids);
  const conversations = await deleted(tx, "conversations", "id = ANY ($1)", ids);
  return {
    kept: [...conversations, ...toolRuns, ...tickets],
    counts: {
      conversations: conversations.length,
      messages: messages.rowCount ?? 0,
      message_feedback: feedback.rowCount ?? 0,
      tool_runs: toolRuns.length,
      tickets: tickets.length,
    },
  };
}

/** Removes leads to which no record refers. The next pass finds records that were added since the search. */
async function removeLeads(tx: PoolClient, ids: string[]): Promise<Removed> {
  await tx.query("SELECT 1 FROM leads WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [ids]);
  const free = ["conversations", "tickets", "meetings"].map(
    (table) => `NOT EXISTS (SELECT FROM ${table} WHERE lead_id = leads.id)`,
  );
  const kept = await deleted(tx, "leads", `id = ANY ($1) AND ${free.join(" AND ")}`, ids);
  return { kept, counts: { leads: kept.length } };
}

async function removeFrom(tx: PoolClient, table: keyof Report, ids: string[]): Promise<Removed> {
  const kept = await deleted(tx, table, "id = ANY ($1)", ids);
  return { kept, counts: { [table]: kept.length } };
}

async function deleted(tx: PoolClient, table: string, condition: string, ids: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(`DELETE FROM ${table} WHERE ${condition} RETURNING id`, [
    ids,
  ]);
  return rows.map(({ id }) => id);
}
