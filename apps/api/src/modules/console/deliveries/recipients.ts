import type { Database } from "@parley/database";
import type { SubscriptionRow } from "../../webhooks/resource.ts";

/** What lists of deliveries show of a subscription. */
export interface Recipient {
  targetUrl: string;
  status: string;
  /** End of the backoff, which may have passed; null without one. */
  circuitOpenUntil: Date | null;
}

/** Subscriptions by ID, latest first. */
export type Recipients = Map<string, Recipient>;

/** Returns the subscriptions of an organization. */
export async function readRecipients(db: Database, organizationId: string): Promise<Recipients> {
  const rows = await db.subscription.findMany({
    where: { organizationId },
    select: { id: true, targetUrl: true, status: true, queue: { select: { circuitOpenUntil: true } } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return new Map(rows.map((row) => [row.id, recipientOf(row)]));
}

type Row = Pick<SubscriptionRow, "targetUrl" | "status"> & {
  queue: Pick<Recipient, "circuitOpenUntil"> | null;
};

/** Returns what lists of deliveries show of a subscription. */
export function recipientOf({ targetUrl, status, queue }: Row): Recipient {
  return { targetUrl, status, circuitOpenUntil: queue?.circuitOpenUntil ?? null };
}
