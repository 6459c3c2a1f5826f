import type { Command } from "@commander-js/extra-typings";
import type { Database } from "@parley/database";
import {
  type GrantFilter,
  grantInForce,
  NoSuchAccount,
  type Revocation,
  revokeGrants,
} from "@parley/database/accounts";
import { Failure } from "../failure.ts";
import { accountFilter } from "../input/account-filter.ts";
import { grantId, organizationId } from "../input/ids.ts";
import { withExamples } from "../output/examples.ts";
import { print } from "../output/print.ts";
import { table } from "../output/table.ts";
import { withDatabase } from "../with-database.ts";

export function addGrantCommands(program: Command): void {
  const grants = program.command("grants").description("What users allowed apps to do.");
  withExamples(grants, [
    "parley-admin grants list",
    "parley-admin grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b",
  ]);

  const list = grants
    .command("list")
    .description("Lists the grants that are in force: by them apps have access now.")
    .option("--organization <id>", "only those of one organization", organizationId)
    .option("--user <user>", "only those of one user, by id or email")
    .option("--client <id>", "only those to one app, by its client_id")
    .option("--json", "print JSON")
    .action(({ json, ...names }) =>
      withDatabase(async (db) => {
        const rows = await db.oAuthGrant.findMany({
          where: { ...grantInForce(new Date()), ...(await accountFilter(db, names)) },
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
    .description("Ends a grant, or many: every token that came from it stops working.")
    .argument("[id]", "its id", grantId)
    .option("--organization <id>", "all of one organization", organizationId)
    .option("--user <user>", "all of one user, by id or email")
    .option("--client <id>", "all to one app, by its client_id")
    .option("--yes", "end many; without this the command only says how many it would end")
    .option("--json", "print JSON")
    .action((id, { yes, json, ...names }) =>
      withDatabase(async (db, { operator = "" }) => {
        const by: Revocation = { reason: "operator_request", operator };
        const filter = await accountFilter(db, names);
        if ((id === undefined) === (Object.keys(filter).length === 0)) {
          throw new Failure("Name one grant by its id, or many by --user, --client or --organization.", 2);
        }
        if (id === undefined) await revokeMany(db, filter, by, { yes, json });
        else await revokeOne(db, id, by, { json });
      }),
    );
  withExamples(revoke, [
    "parley-admin grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b",
    "parley-admin grants revoke --user ada@umbrella.example --yes",
    "parley-admin grants revoke --client parley_ci_4f0c2a8e6b1d3957ac82e0f1 --yes",
  ]);
}

type Choices = { yes?: boolean | undefined; json?: boolean | undefined };

async function revokeOne(db: Database, id: string, by: Revocation, { json }: Choices): Promise<void> {
  if ((await db.oAuthGrant.count({ where: { id } })) === 0) throw new NoSuchAccount("grant", id);
  const revoked = (await revokeGrants(db, { id }, new Date(), by)) > 0;
  print(json, { id, revoked }, () =>
    revoked ? `The grant ${id} is revoked.` : `The grant ${id} was revoked before.`,
  );
}

async function revokeMany(
  db: Database,
  filter: GrantFilter,
  by: Revocation,
  { yes, json }: Choices,
): Promise<void> {
  if (!yes) {
    const count = await db.oAuthGrant.count({ where: { revokedAt: null, ...filter } });
    throw new Failure(`This would end ${count} grants. Add --yes to do it.`, 2);
  }
  const revoked = await revokeGrants(db, filter, new Date(), by);
  print(json, { revoked }, () => `${revoked} grants are revoked.`);
}
