import { Option } from "@commander-js/extra-typings";
import type { Database } from "@parley/database";
import { subscriptionsCreatedBy, type WebhookChoice } from "@parley/webhooks";

/** Returns the option that says what happens to the webhooks of an app or a user that loses access. */
export function webhooksOption(preselected: WebhookChoice) {
  return new Option("--webhooks <choice>", "what happens to the webhooks that were created with this access")
    .choices(["disable", "keep"] as const)
    .default(preselected);
}

/** Webhooks that a message lists by their URL. */
const mostListed = 20;

/** Describes the webhooks that were created with an access, and what happens to them; empty without webhooks. */
export async function describeWebhooks(
  db: Database,
  creator: Parameters<typeof subscriptionsCreatedBy>[1],
  choice: WebhookChoice,
): Promise<string> {
  const found = await subscriptionsCreatedBy(db, creator);
  if (found.length === 0) return "";
  const listed = found.slice(0, mostListed).map(({ id, targetUrl }) => `\n  ${id}  ${targetUrl}`);
  const more = found.length > mostListed ? `\n  and ${found.length - mostListed} more` : "";
  const [what, other] = choice === "disable" ? ["disable", "keep"] : ["keep", "disable"];
  return `\nIt would ${what} these webhooks, which work without this access (--webhooks ${other} to ${other} them):${listed.join("")}${more}`;
}
