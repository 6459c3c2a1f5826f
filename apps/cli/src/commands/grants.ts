import type { Command } from "@commander-js/extra-typings";
import { NoSuchAccount, revokeGrant } from "@parley/database/accounts";
import { grantId, organizationId } from "../input/ids.ts";
import { withExamples } from "../output/examples.ts";
import { print } from "../output/print.ts";
import { table } from "../output/table.ts";
import { withDatabase } from "../with-database.ts";

export function addGrantCommands(program: Command): void {
  const grants = program.command("grants").description("What users allowed apps to do.");
  withExamples(grants, ["parley grants list", "parley grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b"]);

  const list = grants
    .command("list")
    .description("Lists the grants that are in force.")
    .option("--organization <id>", "only those of one organization", organizationId)
    .option("--json", "print JSON")
    .action(({ organization, json }) =>
      withDatabase(async (db) => {
        const rows = await db.oAuthGrant.findMany({
          where: { revokedAt: null, ...(organization !== undefined && { organizationId: organization }) },
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
  withExamples(list, ["parley grants list --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b"]);

  const revoke = grants
    .command("revoke")
    .description("Ends a grant: every token that came from it stops working.")
    .argument("<id>", "its id", grantId)
    .option("--json", "print JSON")
    .action((id, { json }) =>
      withDatabase(async (db, { operator = "" }) => {
        if ((await db.oAuthGrant.count({ where: { id } })) === 0) throw new NoSuchAccount("grant", id);
        const revoked = await revokeGrant(db, id, new Date(), { reason: "operator_request", operator });
        print(json, { id, revoked }, () =>
          revoked ? `The grant ${id} is revoked.` : `The grant ${id} was revoked before.`,
        );
      }),
    );
  withExamples(revoke, ["parley grants revoke 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b"]);
}
