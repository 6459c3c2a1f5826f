import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** Makes errors about arguments end with the usage line of their command, for a command and its subcommands. */
export function showUsageAfterErrors(command: CommandUnknownOpts): void {
  const usage = command.createHelp().commandUsage(command);
  command.showHelpAfterError(`Usage: ${usage}\nAdd --help for more information.`);
  command.commands.forEach(showUsageAfterErrors);
}
