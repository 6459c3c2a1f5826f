import { Argument, type Command, Option } from "@commander-js/extra-typings";
import { Failure, fields, print, table, withExamples } from "@parley/command-line";
import type { Database, Organization } from "@parley/database";
import {
  AccountNotFoundError,
  createOrganization,
  deleteOrganization,
  plans,
  setPlan,
} from "@parley/database/accounts";
import { organizationId } from "../input/ids.ts";
import { withDatabase } from "../with-database.ts";

export function addOrganizationCommands(program: Command): void {
  const organizations = program.command("organizations").description("Manages organizations (tenants).");
  withExamples(organizations, [
    'parley-admin organizations create --name "Umbrella" --plan pro',
    "parley-admin organizations list",
  ]);

  const create = organizations
    .command("create")
    .description("Creates an organization.")
    .requiredOption("--name <name>", "name")
    .addOption(new Option("--plan <plan>", "plan").choices(plans).makeOptionMandatory())
    .option("--json", "print JSON")
    .action(({ name, plan, json }) =>
      withDatabase(async (db, by) => {
        show(await createOrganization(db, { name, plan }, by), json);
      }),
    );
  withExamples(create, ['parley-admin organizations create --name "Umbrella" --plan pro']);

  const list = organizations
    .command("list")
    .description("Lists all organizations.")
    .option("--json", "print JSON")
    .action(({ json }) =>
      withDatabase(async (db) => {
        const rows = await db.organization.findMany({
          orderBy: { createdAt: "asc" },
          include: { _count: { select: { users: true, clients: true } } },
        });
        const data = rows.map((row) => ({
          ...toJson(row),
          users: row._count.users,
          clients: row._count.clients,
        }));
        const lines = rows.map((row) => ({
          ...toRow(row),
          users: row._count.users,
          "own apps": row._count.clients,
        }));
        print(json, data, () =>
          table(lines, "No organizations. Create one: parley-admin organizations create --help"),
        );
      }),
    );
  withExamples(list, ["parley-admin organizations list", "parley-admin organizations list --json"]);

  const plan = organizations
    .command("set-plan")
    .description("Changes an organization's plan. It applies within seconds.")
    .argument("<id>", "organization ID", organizationId)
    .addArgument(new Argument("<plan>", "new plan").choices(plans))
    .option("--json", "print JSON")
    .action((id, name, { json }) =>
      withDatabase(async (db, by) => {
        show(await setPlan(db, id, name, by), json);
      }),
    );
  withExamples(plan, ["parley-admin organizations set-plan 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b business"]);

  const remove = organizations
    .command("delete")
    .description("Deletes an organization with all its data. If interrupted, run it again.")
    .argument("<id>", "organization ID", organizationId)
    .option("--yes", "confirm the deletion; otherwise only shows what would be deleted")
    .option("--json", "print JSON")
    .action((id, { yes, json }) =>
      withDatabase(async (db, by) => {
        if (!yes) throw new Failure(await describeLoss(db, id), 2);
        await deleteOrganization(db, id, by);
        print(json, { id, deleted: true }, () => `Deleted organization ${id}.`);
      }),
    );
  withExamples(remove, ["parley-admin organizations delete 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --yes"]);
}

async function describeLoss(db: Database, id: string): Promise<string> {
  const organization = await db.organization.findUnique({ where: { id } });
  if (!organization) throw new AccountNotFoundError("organization", id);
  const where = { organizationId: id };
  const counts = {
    users: await db.user.count({ where }),
    "own apps": await db.oAuthClient.count({ where }),
    chatbots: await db.chatbot.count({ where }),
    leads: await db.lead.count({ where }),
    tickets: await db.ticket.count({ where }),
    subscriptions: await db.subscription.count({ where }),
  };
  const list = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return `This would permanently delete ${organization.name} with ${list.join(", ")}. Add --yes to confirm.`;
}

function show(organization: Organization, json: boolean | undefined): void {
  print(json, toJson(organization), () => fields(toRow(organization)));
}

function toRow({ id, name, plan, createdAt, deletionStartedAt }: Organization) {
  return { id, name: deletionStartedAt ? `${name} (deletion not finished)` : name, plan, created: createdAt };
}

function toJson({ id, name, plan, createdAt, deletionStartedAt }: Organization) {
  return { id, name, plan, created_at: createdAt, deletion_started_at: deletionStartedAt };
}
