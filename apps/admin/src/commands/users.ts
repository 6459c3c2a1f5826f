import { type Command, Option } from "@commander-js/extra-typings";
import { Failure, fields, print, table, withExamples } from "@parley/command-line";
import type { Database, User } from "@parley/database";
import {
  activeGrant,
  createUser,
  deleteUser,
  findUserByName,
  removeGrants,
  roles,
  setPassword,
  setRole,
} from "@parley/database/accounts";
import { disableSubscriptionsCreatedBy, type WebhookChoice } from "@parley/webhooks";
import { accountFilter } from "../input/account-filter.ts";
import { organizationId } from "../input/ids.ts";
import { readPassword } from "../input/read-password.ts";
import { describeWebhooks, webhooksOption } from "../input/webhook-choice.ts";
import { withDatabase } from "../with-database.ts";

const passwordStdin = "read the password from standard input instead of prompting for it";

export function addUserCommands(program: Command): void {
  const users = program.command("users").description("Manages users, who sign in to give apps access.");
  withExamples(users, ["parley-admin users list", "parley-admin users set-password ada@umbrella.example"]);

  const create = users
    .command("create")
    .description("Creates a user. Prompts for the password.")
    .requiredOption("--organization <id>", "organization of the user", organizationId)
    .requiredOption("--email <email>", "email to sign in with")
    .requiredOption("--name <name>", "name of the user")
    .option(
      "--admin",
      "make the user an admin, who can manage webhooks and register apps of the organization",
    )
    .option("--password-stdin", passwordStdin)
    .option("--json", "print JSON")
    .action(({ organization, email, name, admin = false, passwordStdin: piped, json }) =>
      withDatabase(async (db, by) => {
        const password = await readPassword(piped);
        const user = { organizationId: organization, email, name, password, isAdmin: admin };
        show(await createUser(db, user, by), json);
      }),
    );
  withExamples(create, [
    'parley-admin users create --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --email ada@umbrella.example --name "Ada Novak" --admin',
    "pass parley/ada | parley-admin users create --organization … --email … --name … --password-stdin",
  ]);

  const list = users
    .command("list")
    .description("Lists users.")
    .option("--organization <id>", "only users of one organization", organizationId)
    .option("--json", "print JSON")
    .action(({ organization, json }) =>
      withDatabase(async (db) => {
        const where = await accountFilter(db, { organization });
        const rows = await db.user.findMany({ where, orderBy: { createdAt: "asc" } });
        print(json, rows.map(toJson), () =>
          table(rows.map(toRow), "No users. Create one: parley-admin users create --help"),
        );
      }),
    );
  withExamples(list, ["parley-admin users list"]);

  const update = users
    .command("update")
    .description("Changes a user's role. Admins can register apps of the organization.")
    .argument("<user>", "user ID or email")
    .addOption(new Option("--role <role>", "new role").choices(roles).makeOptionMandatory())
    .option("--json", "print JSON")
    .action((user, { role, json }) =>
      withDatabase(async (db, by) => {
        show(await setRole(db, user, role, by), json);
      }),
    );
  withExamples(update, ["parley-admin users update ada@umbrella.example --role admin"]);

  const password = users
    .command("set-password")
    .description(
      "Sets a user's password and ends all sessions of the user. Apps keep their access unless you add --revoke-access.",
    )
    .argument("<user>", "user ID or email")
    .option("--revoke-access", "also revoke all grants of the user, for example if the password has leaked")
    .option("--password-stdin", passwordStdin)
    .option("--json", "print JSON")
    .action((user, { revokeAccess = false, passwordStdin: piped, json }) =>
      withDatabase(async (db, by) => {
        show(await setPassword(db, user, await readPassword(piped), by, { revokeAccess }), json);
      }),
    );
  withExamples(password, [
    "parley-admin users set-password ada@umbrella.example",
    "parley-admin users set-password ada@umbrella.example --revoke-access",
  ]);

  const remove = users
    .command("delete")
    .description("Deletes a user and revokes all grants of the user.")
    .argument("<user>", "user ID or email")
    .addOption(webhooksOption("keep"))
    .option("--yes", "confirm the deletion; otherwise only shows what would be deleted")
    .option("--json", "print JSON")
    .action((user, { yes, json, webhooks }) =>
      withDatabase(async (db, by) => {
        if (!yes) throw new Failure(await describeLoss(db, user, webhooks), 2);
        const { id: userId } = await findUserByName(db, user);
        await removeGrants(db, { userId });
        if (webhooks === "disable") await disableSubscriptionsCreatedBy(db, { userId }, by);
        const { id, email } = await deleteUser(db, user, by);
        print(json, { id, deleted: true }, () => `Deleted user ${email}.`);
      }),
    );
  withExamples(remove, [
    "parley-admin users delete ada@umbrella.example --yes",
    "parley-admin users delete ada@umbrella.example --webhooks disable --yes",
  ]);
}

async function describeLoss(db: Database, name: string, webhooks: WebhookChoice): Promise<string> {
  const { id: userId, email } = await findUserByName(db, name);
  const grants = await db.oAuthGrant.count({ where: { userId, ...activeGrant(new Date()) } });
  const created = await describeWebhooks(db, { userId }, webhooks);
  return `This would delete ${email} and revoke ${grants} grants. Add --yes to confirm.${created}`;
}

function show(user: User, json: boolean | undefined): void {
  print(json, toJson(user), () => fields(toRow(user)));
}

function toRow({ id, email, name, role, organizationId: organization, createdAt }: User) {
  return { id, email, name, role, organization, created: createdAt };
}

function toJson({ id, email, name, role, organizationId: organization_id, createdAt }: User) {
  return { id, email, name, role, organization_id, created_at: createdAt };
}
