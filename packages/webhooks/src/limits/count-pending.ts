import { literal, Prisma, type Transaction } from "@parley/database";

/**
 * Counts the pending deliveries of an organization.
 *
 * @param most the count ends here
 * @param subscriptionId counts only those of this subscription
 */
export async function countPending(
  tx: Pick<Transaction, "$queryRaw">,
  organizationId: string,
  most: number,
  subscriptionId?: string,
): Promise<number> {
  const ofSubscription = subscriptionId ? Prisma.sql`AND s.id = ${subscriptionId}::uuid` : Prisma.empty;
  const [row] = await tx.$queryRaw<[{ count: number }]>(Prisma.sql`
    SELECT count(*)::int AS count FROM (
      SELECT FROM subscriptions s JOIN deliveries d ON d.subscription_id = s.id
      WHERE s.organization_id = ${organizationId}::uuid ${ofSubscription} LIMIT ${literal(most)}) AS counted`);
  return row.count;
}
