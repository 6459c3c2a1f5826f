import type { Erasure, Transaction } from "@parley/database";
import { type Actor, recordChange } from "@parley/database/accounts";
import type { Subject } from "./erasure.ts";

/**
 * Stores a request to erase a person. While a request for the same person is not completed, returns that one. The audit log contains neither the email nor the external ID.
 */
export async function requestErasure(
  tx: Transaction,
  organizationId: string,
  subject: Subject,
  by: Actor,
): Promise<Erasure> {
  const subjectType = "email" in subject ? "email" : "external_id";
  const value = "email" in subject ? subject.email : subject.external_id;
  const created = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO erasures (organization_id, subject_type, subject)
    VALUES (${organizationId}::uuid, ${subjectType}, CASE ${subjectType} WHEN 'email' THEN lower(${value}) ELSE ${value} END)
    ON CONFLICT (organization_id, subject_type, subject) DO NOTHING RETURNING id`;
  const [found] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM erasures WHERE organization_id = ${organizationId}::uuid AND subject_type = ${subjectType}
      AND subject = CASE ${subjectType} WHEN 'email' THEN lower(${value}) ELSE ${value} END`;
  // The other erasure may be completed between the two statements. A second request is then stored.
  if (!found) return requestErasure(tx, organizationId, subject, by);
  if (created.length > 0) {
    const details = { erasure_id: found.id, by: subjectType };
    await recordChange(tx, by, { event: "erasure.requested", organizationId, details });
  }
  return tx.erasure.findUniqueOrThrow({ where: { id: found.id } });
}
