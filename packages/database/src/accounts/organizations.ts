import { description, type Plan } from "@parley/contract";
import type { Database } from "../client.ts";
import type { Organization } from "../generated/client.ts";
import { isUuid } from "../uuid.ts";
import { AccountNotFoundError, type Problem, rejectProblems } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { checkName } from "./names.ts";

/** All plans, smallest first. */
export const plans = description.components.schemas.Plan["x-extensible-enum"] as Plan[];

/** Creates an organization. @throws AccountError */
export async function createOrganization(
  db: Database,
  { name, plan }: { name: string; plan: string },
  by: Actor,
): Promise<Organization> {
  rejectProblems([checkName(name.trim()), checkPlan(plan)]);
  return db.$transaction(async (tx) => {
    const organization = await tx.organization.create({ data: { name: name.trim(), plan } });
    const { id: organizationId } = organization;
    const details = { name: organization.name, plan };
    await recordChange(tx, by, { event: "organization.created", organizationId, details });
    return organization;
  });
}

/**
 * Changes an organization's plan. API processes apply it within seconds.
 *
 * @throws AccountError, AccountNotFoundError
 */
export async function setPlan(db: Database, id: string, plan: string, by: Actor): Promise<Organization> {
  rejectProblems([checkPlan(plan)]);
  return db.$transaction(async (tx) => {
    const where = { id, deletionStartedAt: null };
    const before = isUuid(id) ? await tx.organization.findUnique({ where }) : null;
    if (!before) throw new AccountNotFoundError("organization", id);
    const organization = await tx.organization.update({ where: { id }, data: { plan } });
    const details = { plan, plan_before: before.plan };
    await recordChange(tx, by, { event: "organization.plan_changed", organizationId: id, details });
    return organization;
  });
}

function checkPlan(plan: string): Problem | undefined {
  if ((plans as string[]).includes(plan)) return undefined;
  return { field: "plan", message: `The plan ${plan} does not exist. Available plans: ${plans.join(", ")}.` };
}
