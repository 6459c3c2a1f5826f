import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { showUsageAfterErrors, withExamples } from "@parley/command-line";
import { productVersion } from "@parley/config";
import { addAuditCommand } from "./commands/audit.ts";
import { addClientCommands } from "./commands/clients.ts";
import { addCountCommands } from "./commands/counts.ts";
import { addEraseCommand } from "./commands/erase.ts";
import { addGrantCommands } from "./commands/grants.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addOrganizationCommands } from "./commands/organizations.ts";
import { addPlatformKeyCommands } from "./commands/platform-key.ts";
import { addSecretCommands } from "./commands/secrets.ts";
import { addUserCommands } from "./commands/users.ts";

/** Creates the command line. Errors are thrown, so that `exitCodeOf` decides the exit code. */
export function createProgram(): Command {
  const program = new Command("parley-admin")
    .description("Manages the accounts of a Parley server: organizations, users, apps and grants.")
    .version(productVersion, "-V, --version", "print the version of Parley")
    .exitOverride()
    .helpCommand(false);

  addOrganizationCommands(program);
  addUserCommands(program);
  const clients = addClientCommands(program);
  addSecretCommands(clients);
  addGrantCommands(program);
  addAuditCommand(program);
  addPlatformKeyCommands(program);
  addCountCommands(program);
  addMigrateCommand(program);
  addEraseCommand(program);

  showUsageAfterErrors(program as CommandUnknownOpts);
  return withExamples(
    program,
    [
      'parley-admin organizations create --name "Umbrella" --plan pro',
      "parley-admin clients create --name Zapier --redirect-uri https://zapier.com/dashboard/auth/oauth/return/App1/",
      "parley-admin audit --since 24h --follow",
    ],
    `Connects to the database in DATABASE_DIRECT_URL or DATABASE_URL, or in the files DATABASE_DIRECT_URL_FILE or
DATABASE_URL_FILE. Without them, connects to the embedded PostgreSQL of the server that is running on DATA_DIR (default .parley).
Exit codes: 0 success, 1 failure, 2 invalid arguments.`,
  );
}
