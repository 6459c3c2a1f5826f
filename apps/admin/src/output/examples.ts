import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** Ends a command's help with lines that work as they stand, and a note. */
export function withExamples<Type extends CommandUnknownOpts>(
  command: Type,
  examples: string[],
  note = "",
): Type {
  const lines = examples.map((example) => `  ${example}`).join("\n");
  command.addHelpText("after", `\nExamples:\n${lines}${note && `\n\n${note}`}`);
  return command;
}
