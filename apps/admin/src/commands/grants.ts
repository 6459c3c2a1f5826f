import type { Command } from "@commander-js/extra-typings";
import { Failure, print, printNote, table, withExamples } from "@parley/command-line";
import type { Database } from "@parley/database";
import {
  AccountNotFoundError,
  type Actor,
  activeGrant,
  type GrantFilter,
  type Revocation,
  revokeGrants,
} from "@parley/database/accounts";
import { disableSubscriptionsCreatedBy, type WebhookChoice } from "@parley/webhooks";
import { accountFilter } from "../input/account-filter.ts";
import { grantId, organizationId } from "../input/ids.ts";
import { describeWebhooks, webhooksOption } from "../input/webhook-choice.ts";
import { withDatabase } from "../with-database.ts";

export function addGrantCommands(program: Command): void {
  const grants = program.command("grants").description("Manages grants, by which users gave apps access.");
  withExamples(grants, [
    "parley-admin grants list",
    "parley-admin grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b",
  ]);

  const list = grants
    .command("list")
    .description("Lists active grants.")
    .option("--organization <id>", "only grants of one organization", organizationId)
    .option("--user <user>", "only grants of one user, by ID or email")
    .option("--client <id>", "only grants of one app, by client ID")
    .option("--json", "print JSON")
    .action(({ json, ...names }) =>
      withDatabase(async (db) => {
        const rows = await db.oAuthGrant.findMany({
          where: { ...activeGrant(new Date()), ...(await accountFilter(db, names)) },
          include: { user: true, client: true },
          orderBy: { id: "asc" },
        });
        const data = rows.map(({ user, client, ...grant }) => ({
          id: grant.id,
          organization_id: grant.organizationId,
          user: { id: user.id, email: user.email },
          client: { client_id: client.id, name: client.name },
          scopes: grant.scopes,
          created_at: grant.createdAt,
          last_used_at: grant.lastUsedAt,
        }));
        const lines = rows.map(({ id, user, client, scopes, createdAt, lastUsedAt }) => ({
          id,
          user: user.email,
          app: client.name,
          scopes: scopes.join(" "),
          since: createdAt,
          "last used": lastUsedAt,
        }));
        print(json, data, () => table(lines, "No app has access."));
      }),
    );
  withExamples(list, ["parley-admin grants list --user ada@umbrella.example"]);

  const revoke = grants
    .command("revoke")
    .description("Revokes one or more grants with all their tokens.")
    .argument("[id]", "grant ID", grantId)
    .option("--organization <id>", "all grants of one organization", organizationId)
    .option("--user <user>", "all grants of one user, by ID or email")
    .option("--client <id>", "all grants of one app, by client ID")
    .addOption(webhooksOption("disable"))
    .option("--yes", "confirm revoking several grants; otherwise only shows how many would be revoked")
    .option("--json", "print JSON")
    .action((id, { yes, json, webhooks, ...names }) =>
      withDatabase(async (db, { operator = "" }) => {
        const by: Revocation = { reason: "operator_request", operator };
        const filter = await accountFilter(db, names);
        if ((id === undefined) === (Object.keys(filter).length === 0)) {
          throw new Failure(
            "Give either one grant ID, or one or more of --user, --client and --organization.",
            2,
          );
        }
        if (id === undefined) await revokeMany(db, filter, by, { yes, json, webhooks });
        else await revokeOne(db, id, by, { json, webhooks });
      }),
    );
  withExamples(revoke, [
    "parley-admin grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b",
    "parley-admin grants revoke --user ada@umbrella.example --yes",
    "parley-admin grants revoke --client parley_ci_4f0c2a8e6b1d3957ac82e0f1 --yes",
  ]);
}

/** Grants are given to apps, so webhooks of the console are not theirs. */
const anyApp = { clientId: { not: null } };

interface Choices {
  yes?: boolean | undefined;
  json?: boolean | undefined;
  webhooks: WebhookChoice;
}

async function revokeOne(
  db: Database,
  id: string,
  by: Revocation,
  { json, webhooks }: Choices,
): Promise<void> {
  const grant = await db.oAuthGrant.findUnique({ where: { id }, select: { userId: true, clientId: true } });
  if (!grant) throw new AccountNotFoundError("grant", id);
  const revoked = (await revokeGrants(db, { id }, new Date(), by)) > 0;
  const disabled =
    webhooks === "disable" ? await disableSubscriptionsCreatedBy(db, grant, operatorOf(by)) : 0;
  if (disabled > 0 && !json)
    printNote(`Disabled ${disabled === 1 ? "1 webhook" : `${disabled} webhooks`} of the app and the user.`);
  print(json, { id, revoked }, () => (revoked ? `Revoked grant ${id}.` : `Grant ${id} was already revoked.`));
}

async function revokeMany(
  db: Database,
  filter: GrantFilter,
  by: Revocation,
  { yes, json, webhooks }: Choices,
): Promise<void> {
  if (!yes) {
    const count = await db.oAuthGrant.count({ where: { revokedAt: null, ...filter } });
    const created = await describeWebhooks(db, { ...anyApp, ...filter }, webhooks);
    throw new Failure(`This would revoke ${count} grants. Add --yes to confirm.${created}`, 2);
  }
  const revoked = await revokeGrants(db, filter, new Date(), by);
  if (webhooks === "disable")
    await disableSubscriptionsCreatedBy(db, { ...anyApp, ...filter }, operatorOf(by));
  print(json, { revoked }, () => `Revoked ${revoked} grants.`);
}

function operatorOf({ operator = "" }: Revocation): Actor {
  return { operator };
}
