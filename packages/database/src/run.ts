const hints: Record<string, string> = {
  EADDRINUSE: "The port is in use: choose another PORT, or end the process that has it.",
  EADDRNOTAVAIL: "HOST is not an address of this machine.",
  EACCES: "This user may not listen on that PORT, or not write to that folder.",
  ECONNREFUSED: "Nothing answers at DATABASE_URL.",
  ENOTFOUND: "The host of DATABASE_URL is not known.",
};

/** Runs a program; should it not start, says why in words and ends with 1. `LOG_LEVEL=debug` shows the stack as well. */
export async function run(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    explain(error);
    process.exit(1);
  }
}

/** One or two sentences on standard error. */
export function explain(error: unknown): void {
  const { code = "", message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  console.error(["Parley could not go on:", message, hints[code]].filter(Boolean).join(" "));
  if (process.env["LOG_LEVEL"] === "debug") console.error(error);
}
