import type { CommandUnknownOpts } from "@commander-js/extra-typings";

const descriptions: Record<string, string> = {
  chatbots: "Reads chatbots.",
  conversations: "Reads conversations and their messages.",
  leads: "Reads leads.",
  tickets: "Reads support tickets.",
  meetings: "Reads meetings.",
  webhooks: "Manages webhook subscriptions, reads their deliveries, and redelivers events.",
  events: "Reads events.",
};

/** Returns the group of commands with a name. Adds it at the first use. */
export function groupOf(program: CommandUnknownOpts, name: string): CommandUnknownOpts {
  const existing = program.commands.find((command) => command.name() === name);
  return existing ?? program.command(name).description(descriptions[name] ?? "");
}
