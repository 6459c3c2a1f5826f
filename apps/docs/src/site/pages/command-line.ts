// By path, because the tests of the command line depend on the documentation.
import { createProgram } from "../../../../../packages/cli/src/program.ts";
import { codeBlock, type Page } from "../page.ts";

type Command = Pick<
  ReturnType<typeof createProgram>,
  "commands" | "configureHelp" | "configureOutput" | "description" | "name" | "outputHelp"
>;

const lineLength = 88;

/** Returns the page of the command line, with the help text of each command. */
export function commandLinePage(): Page {
  const program = createProgram() as unknown as Command;
  const parts = [
    "`parley` is the command line for developers. [Develop locally](#tag/develop-locally) shows how to install and use it.",
    codeBlock("text", helpOf(program)),
    ...sectionsOf(program, program.name()),
  ];
  return {
    path: "guides/command-line",
    title: "Command line",
    description: "All commands and options of parley, the command line for developers.",
    section: "Guides",
    group: "Reference",
    label: "Command line",
    markdown: parts.join("\n\n"),
  };
}

/** Returns a section for each command that does something, not for groups of commands. */
function sectionsOf({ commands }: Pick<Command, "commands">, path: string): string[] {
  return (commands as unknown as Command[]).flatMap((command) => {
    const name = `${path} ${command.name()}`;
    if (command.commands.length > 0) return sectionsOf(command, name);
    return [`## ${name}\n\n${codeBlock("text", helpOf(command))}`];
  });
}

/** Returns what `--help` prints. */
function helpOf(command: Command): string {
  let text = "";
  command.configureHelp({ helpWidth: lineLength });
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text.replaceAll(/ +$/gm, "");
}
