import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** Adds examples and a note to a command's help. */
export function withExamples<Type extends CommandUnknownOpts>(
  command: Type,
  examples: string[],
  note = "",
): Type {
  const lines = examples.map((example) => `  ${example}`).join("\n");
  command.addHelpText("after", `\nExamples:\n${lines}${note && `\n\n${note}`}`);
  return command;
}
