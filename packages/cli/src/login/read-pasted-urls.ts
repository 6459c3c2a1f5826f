import { createInterface } from "node:readline";
import { printNote } from "@parley/command-line";

/**
 * Reads lines from standard input, which may contain the address of the redirect.
 *
 * @param accept handles an address, and returns whether it is the address of the redirect
 */
export function readPastedUrls(accept: (url: string) => boolean): { stop(): void } {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const text = line.trim();
    if (text === "" || (/^https?:\/\/\S+\?\S+$/.test(text) && accept(text))) return;
    printNote("That is not the address of the redirect. Paste the whole address.");
  });
  return { stop: () => lines.close() };
}
