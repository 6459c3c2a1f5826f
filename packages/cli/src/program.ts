import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { showUsageAfterErrors, withExamples } from "@parley/command-line";
import manifest from "../package.json" with { type: "json" };
import { addEventCommands } from "./commands/events.ts";
import { addListenCommand } from "./commands/listen.ts";
import { addLoginCommands } from "./commands/login.ts";
import { addReadCommands } from "./commands/read.ts";
import { addSubscriptionCommands } from "./commands/subscriptions.ts";
import { addTriggerCommand } from "./commands/trigger.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import { localServer } from "./connection.ts";

/** Creates the command line. Errors are thrown, so that `exitCodeOf` decides the exit code. */
export function createProgram(): Command {
  const program = new Command("parley")
    .description(
      "Forwards events of a Parley server to your machine, sends sample events, and reads records.",
    )
    .version(manifest.version, "-V, --version", "print the version")
    .exitOverride()
    .helpCommand("help [command]", "print the help of a command");

  addLoginCommands(program);
  addListenCommand(program);
  addTriggerCommand(program);
  addReadCommands(program);
  addEventCommands(program);
  addSubscriptionCommands(program);
  addWebhookCommands(program);

  showUsageAfterErrors(program as CommandUnknownOpts);
  return withExamples(
    program,
    [
      "parley login https://parley.example.com",
      "parley listen --forward-to http://localhost:3000/hook",
      "parley trigger lead.created --forward-to http://localhost:3000/hook",
      "parley leads list --status qualified --json",
    ],
    `Environment variables:
  PARLEY_URL             server (default: the server of the last login, else ${localServer})
  PARLEY_TOKEN           access token, instead of parley login, for example in CI
  PARLEY_WEBHOOK_SECRET  secret with which events are signed (default: a secret that is created once for each server)
  PARLEY_CONFIG_DIR      folder of the stored tokens
  NO_COLOR               no colors
Exit codes: 0 success, 1 failure, 2 invalid arguments.`,
  );
}
