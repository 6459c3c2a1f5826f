/** What a child process can be asked to do. Arguments and results travel by structured clone. */
export type Commands = Record<string, (...args: never[]) => unknown>;

/** One call, as the parent sends it. */
export interface Call {
  id: number;
  name: string;
  args: unknown[];
}

/** The answer to one call. */
export interface Answer {
  id: number;
  result?: unknown;
  /** Why the command failed. */
  error?: string;
}

/** Answers the parent's calls until the parent is gone. Ctrl-C is left to the parent, which ends its children itself. */
export function serve(commands: Commands): void {
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit());
  process.on("message", (call: Call) => void answer(commands, call));
}

async function answer(commands: Commands, { id, name, args }: Call): Promise<void> {
  try {
    const command = commands[name];
    if (!command) throw new Error(`there is no command ${name}`);
    reply({ id, result: await command(...(args as never[])) });
  } catch (error) {
    reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function reply(message: Answer): void {
  if (process.connected) process.send?.(message);
}

/** Seconds of CPU that this process has used so far, all threads together. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
