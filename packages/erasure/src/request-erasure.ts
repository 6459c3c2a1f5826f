import type { Erasure, Transaction } from "@parley/database";
import { type Actor, recordChange } from "@parley/database/accounts";
import type { Subject } from "./erasure.ts";

/**
 * Stores a request to erase a person. While a request for the same person is not completed, returns that one, which becomes
 * pending again: it is completed only by a search that begins after this request. The audit log contains neither the email nor the
 * external ID.
 */
export async function requestErasure(
  tx: Transaction,
  organizationId: string,
  subject: Subject,
  by: Actor,
): Promise<Erasure> {
  const subjectType = "email" in subject ? "email" : "external_id";
  const value = "email" in subject ? subject.email : subject.external_id;
  const [row] = await tx.$queryRaw<{ id: string; isNew: boolean }[]>`
    INSERT INTO erasures (organization_id, subject_type, subject)
    VALUES (${organizationId}::uuid, ${subjectType}, CASE ${subjectType} WHEN 'email' THEN lower(${value}) ELSE ${value} END)
    ON CONFLICT (organization_id, subject_type, subject) DO UPDATE SET status = 'pending'
    RETURNING id, old.id IS NULL AS "isNew"`;
  const { id = "", isNew = false } = row ?? {};
  if (isNew) {
    const details = { erasure_id: id, by: subjectType };
    await recordChange(tx, by, { event: "erasure.requested", organizationId, details });
  }
  return tx.erasure.findUniqueOrThrow({ where: { id } });
}
