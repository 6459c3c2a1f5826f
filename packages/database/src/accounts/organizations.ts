import { description, type Plan } from "@parley/contract";
import type { Database } from "../client.ts";
import type { Organization } from "../generated/client.ts";
import { isUuid } from "../uuid.ts";
import { NoSuchAccount, type Problem, refuse } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { checkName } from "./names.ts";

/** Every plan, from the smallest. */
export const plans = description.components.schemas.Plan["x-extensible-enum"] as Plan[];

/** @throws AccountError */
export async function createOrganization(
  db: Database,
  { name, plan }: { name: string; plan: string },
  by: Actor,
): Promise<Organization> {
  refuse([checkName(name.trim()), checkPlan(plan)]);
  return db.$transaction(async (tx) => {
    const organization = await tx.organization.create({ data: { name: name.trim(), plan } });
    const { id: organizationId } = organization;
    const details = { name: organization.name, plan };
    await recordChange(tx, by, { event: "organization.created", organizationId, details });
    return organization;
  });
}

/**
 * Puts an organization on another plan; that counts from its next request on.
 *
 * @throws AccountError, NoSuchAccount
 */
export async function setPlan(db: Database, id: string, plan: string, by: Actor): Promise<Organization> {
  refuse([checkPlan(plan)]);
  return db.$transaction(async (tx) => {
    const where = { id, deletionStartedAt: null };
    const before = isUuid(id) ? await tx.organization.findUnique({ where }) : null;
    if (!before) throw new NoSuchAccount("organization", id);
    const organization = await tx.organization.update({ where: { id }, data: { plan } });
    const details = { plan, plan_before: before.plan };
    await recordChange(tx, by, { event: "organization.plan_changed", organizationId: id, details });
    return organization;
  });
}

function checkPlan(plan: string): Problem | undefined {
  if ((plans as string[]).includes(plan)) return undefined;
  return { field: "plan", words: `There is no plan ${plan}; the plans are ${plans.join(", ")}.` };
}
