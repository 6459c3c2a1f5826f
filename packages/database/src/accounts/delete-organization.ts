import type { Database, Transaction } from "../client.ts";
import { isUuid } from "../uuid.ts";
import { NoSuchAccount } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";

/**
 * Deletes an organization with all that belongs to it: users, own clients, records, subscriptions, deliveries, logs.
 * The audit log alone keeps what it tells of the organization.
 *
 * @throws NoSuchAccount
 */
export async function deleteOrganization(db: Database, id: string, by: Actor): Promise<void> {
  await db.$transaction(
    async (tx) => {
      const organization = isUuid(id) ? await tx.organization.findUnique({ where: { id } }) : null;
      if (!organization) throw new NoSuchAccount("organization", id);
      await deleteLooseRows(tx, id);
      await tx.organization.delete({ where: { id } });
      const details = { name: organization.name };
      await recordChange(tx, by, { event: "organization.deleted", organizationId: id, details });
    },
    { timeout: 10 * 60_000 }, // It may have millions of records.
  );
}

/** What no foreign key deletes with the organization. Subscriptions come first, so that nothing new becomes due. */
async function deleteLooseRows(tx: Transaction, organizationId: string): Promise<void> {
  const where = { organizationId };
  await tx.subscription.deleteMany({ where });
  await tx.delivery.deleteMany({ where });
  await tx.deliveryAttempt.deleteMany({ where });
  await tx.event.deleteMany({ where });
  await tx.idempotencyKey.deleteMany({ where });
  await tx.usageRecord.deleteMany({ where });
  await tx.usagePeriod.deleteMany({ where });
  await tx.messageFeedback.deleteMany({ where });
  await tx.ticket.deleteMany({ where });
  await tx.meeting.deleteMany({ where });
}
