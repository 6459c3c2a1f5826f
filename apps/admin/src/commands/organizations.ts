import { Argument, type Command, Option } from "@commander-js/extra-typings";
import type { Database, Organization } from "@parley/database";
import {
  createOrganization,
  deleteOrganization,
  NoSuchAccount,
  plans,
  setPlan,
} from "@parley/database/accounts";
import { Failure } from "../failure.ts";
import { organizationId } from "../input/ids.ts";
import { withExamples } from "../output/examples.ts";
import { print } from "../output/print.ts";
import { fields, table } from "../output/table.ts";
import { withDatabase } from "../with-database.ts";

export function addOrganizationCommands(program: Command): void {
  const organizations = program
    .command("organizations")
    .description("Whose chatbots and leads the server holds.");
  withExamples(organizations, [
    'parley-admin organizations create --name "Umbrella" --plan pro',
    "parley-admin organizations list",
  ]);

  const create = organizations
    .command("create")
    .description("Adds an organization.")
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--plan <plan>", "its plan").choices(plans).makeOptionMandatory())
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
          table(lines, "There is no organization yet: parley-admin organizations create --help"),
        );
      }),
    );
  withExamples(list, ["parley-admin organizations list", "parley-admin organizations list --json"]);

  const plan = organizations
    .command("set-plan")
    .description("Puts an organization on another plan, from its next request on.")
    .argument("<id>", "its id", organizationId)
    .addArgument(new Argument("<plan>", "its new plan").choices(plans))
    .option("--json", "print JSON")
    .action((id, name, { json }) =>
      withDatabase(async (db, by) => {
        show(await setPlan(db, id, name, by), json);
      }),
    );
  withExamples(plan, ["parley-admin organizations set-plan 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b business"]);

  const remove = organizations
    .command("delete")
    .description("Deletes an organization with everything that belongs to it. If interrupted, run it again.")
    .argument("<id>", "its id", organizationId)
    .option("--yes", "delete it; without this the command only says what it would delete")
    .option("--json", "print JSON")
    .action((id, { yes, json }) =>
      withDatabase(async (db, by) => {
        if (!yes) throw new Failure(await describeLoss(db, id), 2);
        await deleteOrganization(db, id, by);
        print(json, { id, deleted: true }, () => `The organization ${id} is deleted.`);
      }),
    );
  withExamples(remove, ["parley-admin organizations delete 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --yes"]);
}

async function describeLoss(db: Database, id: string): Promise<string> {
  const organization = await db.organization.findUnique({ where: { id } });
  if (!organization) throw new NoSuchAccount("organization", id);
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
  return `This would delete ${organization.name} with ${list.join(", ")}, for good. Add --yes to do it.`;
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
