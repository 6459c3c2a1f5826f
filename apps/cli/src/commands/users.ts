import type { Command } from "@commander-js/extra-typings";
import type { User } from "@parley/database";
import { createUser, deleteUser, setPassword } from "@parley/database/accounts";
import { organizationId } from "../input/ids.ts";
import { readPassword } from "../input/read-password.ts";
import { withExamples } from "../output/examples.ts";
import { print } from "../output/print.ts";
import { fields, table } from "../output/table.ts";
import { withDatabase } from "../with-database.ts";

const passwordStdin = "read the password from standard input instead of asking for it";

export function addUserCommands(program: Command): void {
  const users = program.command("users").description("Who signs in on the server's pages.");
  withExamples(users, ["parley users list", "parley users set-password ada@umbrella.example"]);

  const create = users
    .command("create")
    .description("Adds a user. The password is asked for on the terminal.")
    .requiredOption("--organization <id>", "whose user it is", organizationId)
    .requiredOption("--email <email>", "the user signs in with it")
    .requiredOption("--name <name>", "the user's name")
    .option("--admin", "may register the organization's own apps")
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
    'parley users create --organization 0199d2a4-5c1e-7f00-8a3b-2f4c6d8e0a1b --email ada@umbrella.example --name "Ada Novak" --admin',
    "pass parley/ada | parley users create --organization … --email … --name … --password-stdin",
  ]);

  const list = users
    .command("list")
    .description("Lists users.")
    .option("--organization <id>", "only those of one organization", organizationId)
    .option("--json", "print JSON")
    .action(({ organization, json }) =>
      withDatabase(async (db) => {
        const where = organization === undefined ? {} : { organizationId: organization };
        const rows = await db.user.findMany({ where, orderBy: { createdAt: "asc" } });
        print(json, rows.map(toJson), () =>
          table(rows.map(toRow), "There is no user: parley users create --help"),
        );
      }),
    );
  withExamples(list, ["parley users list"]);

  const password = users
    .command("set-password")
    .description("Sets a user's password and signs the user out everywhere. Apps keep their access.")
    .argument("<user>", "id or email")
    .option("--password-stdin", passwordStdin)
    .option("--json", "print JSON")
    .action((user, { passwordStdin: piped, json }) =>
      withDatabase(async (db, by) => {
        show(await setPassword(db, user, await readPassword(piped), by), json);
      }),
    );
  withExamples(password, ["parley users set-password ada@umbrella.example"]);

  const remove = users
    .command("delete")
    .description("Deletes a user. Every access that the user gave to apps ends.")
    .argument("<user>", "id or email")
    .option("--json", "print JSON")
    .action((user, { json }) =>
      withDatabase(async (db, by) => {
        const { id, email } = await deleteUser(db, user, by);
        print(json, { id, deleted: true }, () => `The user ${email} is deleted.`);
      }),
    );
  withExamples(remove, ["parley users delete ada@umbrella.example"]);
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
