import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "@parley/command-line";

/**
 * Reads a new password from the first line of standard input, or by prompting twice on the terminal without echo. There
 * is no argument for it, because arguments are visible in the shell history and the process list.
 *
 * @throws Failure
 */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  if (!process.stdin.isTTY) {
    throw new Failure(
      "Cannot prompt for the password without a terminal. Pipe the password in and add --password-stdin.",
      2,
    );
  }
  return askTwice();
}

/** Prompts twice. Echo is turned off before the first prompt, so that characters that are typed early are not shown. */
async function askTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  const ask = async (question: string): Promise<string> => {
    process.stderr.write(question);
    const answer = await lines.question("").catch(() => undefined);
    process.stderr.write("\n");
    if (answer === undefined) throw new Failure("Nothing was changed."); // Ctrl-C
    return answer;
  };
  try {
    const first = await ask("Password: ");
    if (first !== (await ask("Repeat password: "))) throw new Failure("The two passwords differ.", 2);
    return first;
  } finally {
    lines.close();
  }
}
