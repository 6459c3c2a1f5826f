import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { productVersion } from "@parley/config";
import { addAuditCommand } from "./commands/audit.ts";
import { addClientCommands } from "./commands/clients.ts";
import { addGrantCommands } from "./commands/grants.ts";
import { addOrganizationCommands } from "./commands/organizations.ts";
import { addPlatformKeyCommands } from "./commands/platform-key.ts";
import { addSecretCommands } from "./commands/secrets.ts";
import { addUserCommands } from "./commands/users.ts";
import { withExamples } from "./output/examples.ts";

/** The whole command line. What it refuses it throws, so that one place decides the exit code. */
export function createProgram(): Command {
  const program = new Command("parley-admin")
    .description("Runs the accounts of a Parley server: organizations, users, apps and what they may do.")
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

  showUsageAfterErrors(program as CommandUnknownOpts);
  return withExamples(
    program,
    [
      'parley-admin organizations create --name "Umbrella" --plan pro',
      "parley-admin clients create --name Zapier --redirect-uri https://zapier.com/dashboard/auth/oauth/return/App1/",
      "parley-admin audit --since 24h --follow",
    ],
    `The database is that of DATABASE_URL, or else that of the server which runs on DATA_DIR (default .parley).
Exit codes: 0 done, 1 failed, 2 not understood or refused.`,
  );
}

function showUsageAfterErrors(command: CommandUnknownOpts): void {
  const usage = command.createHelp().commandUsage(command);
  command.showHelpAfterError(`Usage: ${usage}\nAdd --help to see how it is used.`);
  command.commands.forEach(showUsageAfterErrors);
}
