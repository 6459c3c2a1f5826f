// By path, because the tests of the command lines depend on the documentation.
import { createProgram } from "../../../../../packages/cli/src/program.ts";
import { createProgram as createAdminProgram } from "../../../../admin/src/program.ts";
import { codeBlock, type Page } from "../page.ts";

type Command = Pick<
  ReturnType<typeof createProgram>,
  "commands" | "configureHelp" | "configureOutput" | "description" | "name" | "outputHelp"
>;

const lineLength = 88;

/** Returns a page for each command line, with the help text of each command. */
export function commandLinePages(): Page[] {
  return [
    commandLinePage(createProgram() as unknown as Command, {
      path: "guides/command-line",
      title: "Command line",
      description: "All commands and options of parley, the command line for developers.",
      intro:
        "`parley` is the command line for developers. [Develop locally](#tag/develop-locally) shows how to install and use it.",
    }),
    commandLinePage(createAdminProgram() as unknown as Command, {
      path: "guides/parley-admin",
      title: "Command line for operators",
      description: "All commands and options of parley-admin, the command line for operators of a server.",
      intro:
        "`parley-admin` is the command line for operators of a Parley server. Run it in a checkout of Parley: `npx parley-admin --help`.",
    }),
  ];
}

function commandLinePage(
  program: Command,
  { path, title, description, intro }: Pick<Page, "path" | "title" | "description"> & { intro: string },
): Page {
  const parts = [intro, codeBlock("text", helpOf(program)), ...sectionsOf(program, program.name())];
  return {
    path,
    title,
    description,
    section: "Guides",
    group: "Reference",
    label: title,
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
