/** Conditions in the filters of subscriptions. */
import type { Schemas } from "@parley/contract";
import { Prisma, type Subscription } from "@parley/database";
import { conditionProblem, conditionsPath, normalizeConditions } from "@parley/webhooks";
import { invalidField } from "../../http/api-error.ts";
import { suggestion } from "../../http/describe-validation.ts";

type Condition = Schemas["FilterCondition"];

/** Returns the conditions of a subscription; undefined if it has none. */
export function conditionsOf({ conditions }: Pick<Subscription, "conditions">): Condition[] | undefined {
  return (conditions as unknown as Condition[] | null) ?? undefined;
}

/**
 * Returns the columns of a subscription for its conditions.
 *
 * @param changed what the request changes: the conditions, or only the types
 * @throws ApiError 400 if an event type does not have the field of a condition, or the value does not suit it
 */
export function storeConditions(
  conditions: Condition[] | undefined,
  eventTypes: string[],
  changed: "filters" | "event_types" = "filters",
) {
  if (!conditions) return { conditions: Prisma.DbNull, conditionsPath: null };
  for (const [index, condition] of conditions.entries()) {
    const wrong = conditionProblem(condition, eventTypes);
    if (!wrong) continue;
    const { member, problem, known } = wrong;
    const hint = known ? suggestion(known.name, known.names) : "";
    const logged = problem.replaceAll(`"${condition.field}"`, '"…"');
    if (changed === "event_types") {
      const reason = (wrong: string) =>
        `do not suit the conditions of the subscription: ${wrong}. Replace filters too, or an empty object removes them.`;
      throw invalidField("body/event_types", reason(problem), reason(logged));
    }
    throw invalidField(`body/filters/conditions/${index}/${member}`, problem + hint, logged + hint);
  }
  const normalized = normalizeConditions(conditions, eventTypes);
  return {
    conditions: normalized as unknown as Prisma.InputJsonArray,
    conditionsPath: conditionsPath(normalized),
  };
}
