import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { Failure } from "../failure.ts";

/**
 * A new password: the first line of standard input, or typed twice on the terminal without echo. Never an argument, since
 * those stand in the shell's history and in the list of processes.
 *
 * @throws Failure
 */
export async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  if (fromStdin) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  if (!process.stdin.isTTY) {
    throw new Failure(
      "There is no terminal to ask for the password: pipe it in and add --password-stdin.",
      2,
    );
  }
  return askTwice();
}

/** The terminal stops echoing before the first question is asked, so that nothing typed ahead of it shows. */
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
    if (first !== (await ask("Once more: "))) throw new Failure("The two passwords differ.", 2);
    return first;
  } finally {
    lines.close();
  }
}
